-- Sessions of customers hold for the password that they began with: its hash, hashed again, so that the write which
-- replaces a password ends them.

alter table refresh_tokens add column subject bytea;
alter table tokens add column subject bytea;

update refresh_tokens set subject = sha256(convert_to(customer.secrets ->> 'passwordHash', 'UTF8'))
from documents as customer
where customer.project = refresh_tokens.project and customer.kind = 'customer' and customer.id = refresh_tokens.customer_id;

update tokens set subject = sha256(convert_to(customer.secrets ->> 'passwordHash', 'UTF8'))
from documents as customer
where customer.project = tokens.project and customer.kind = 'customer' and customer.id = tokens.customer_id;

drop index refresh_tokens_customer;
drop index tokens_customer;
