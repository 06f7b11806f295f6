-- Processes of the version before, which know no topics, go on writing until they are replaced.
alter table outbox alter column topic set default 'suggest';
