-- How often the followers behind the cursor were begun with: more than once where a process ended before they were done.
alter table passes add column attempts int not null default 0;
