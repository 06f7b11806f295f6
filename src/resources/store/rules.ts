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
