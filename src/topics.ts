import { followTopic } from './following/consumer.ts';
import type { Resource } from './engine/resource.ts';
import { topicsByKind } from './outbox/outbox.ts';
import { internalResources } from './resources/all.ts';
import { searchedProducts } from './resources/product/searched.ts';
import { searchTopic } from './search/document-feeder.ts';
import { suggestTopic } from './search/feeder.ts';

/** Whom writes leave word for, by their kinds. */
export function topicsOf(resources: readonly Resource[]): ReturnType<typeof topicsByKind> {
  return topicsByKind([suggestTopic, searchTopic(searchedProducts), followTopic([...resources, ...internalResources])]);
}
