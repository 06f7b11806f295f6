-- Cart discounts and discount groups have their places in one order, so no two of them, of either kind, have the same
-- (DuplicateField). Each kind holds its values for itself as before.
create unique index unique_values_discount_order on unique_values (project, value)
  where kind in ('cart-discount', 'discount-group') and field = 'sortOrder';
