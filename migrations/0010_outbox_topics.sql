-- A queue for each consumer: what one of them is slow to take is in nobody else's way.
alter table outbox add column topic text not null default 'suggest';
alter table outbox alter column topic drop default;
alter table outbox drop constraint outbox_pkey, add primary key (project, topic, seq);
