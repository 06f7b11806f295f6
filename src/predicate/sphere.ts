/** The earth as `within circle` takes it: a sphere of this radius. */
export const earthRadiusMeters = 6_371_000;

/** How far outside a circle a point still counts as on it: more than the sines of two implementations differ by. */
export const circleToleranceMeters = 1e-6;
