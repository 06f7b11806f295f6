import type { ApplyContext } from '../../engine/resource.ts';
import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Store } from './fields.ts';

/** A store speaks languages of its project only. */
export function projectLanguages(
  { languages }: Fixed<Store>,
  { project }: Pick<ApplyContext, 'project'>,
): ErrorElement | undefined {
  const unsupported = languages.filter((language) => !project.settings.languages.includes(language));
  if (unsupported.length === 0) return undefined;
  return {
    code: 'ProjectNotConfiguredForLanguages',
    message: `The project is not configured for the languages ${unsupported.join(', ')}.`,
    languages: unsupported,
  };
}

/** Of the public API. */
const selectionsMax = 100;

/** The public texts do not say what a selection would mean that is in a store twice, so none is. */
export function differentSelections({ productSelections }: Fixed<Store>): ErrorElement | undefined {
  const ids = productSelections.map(({ productSelection }) => productSelection.id);
  if (ids.length > selectionsMax) {
    const message = `The store has ${ids.length} product selections, but ${selectionsMax} is the limit.`;
    return { code: 'InvalidInput', message };
  }
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice === undefined) return undefined;
  return { code: 'InvalidInput', message: `The product selection '${twice}' is in the store twice.` };
}
