-- What belongs to a resource and is never read with it, such as the hash of a client's secret.
alter table documents add column secrets jsonb;

-- API clients become resources, known by a UUID; the ids of earlier ones are none, so they end with their tokens, and
-- the next start prints a new client. The token endpoint knows no project: it finds a client by its random id alone.
create index documents_api_client on documents_other (id) where kind = 'api-client';
drop table api_clients;
truncate tokens;
alter table tokens alter column client_id type uuid using client_id::uuid;
