import { isScope } from './scopes.ts';

/**
 * Names of the scopes that an API client can be given for a project (decisions.md #112). Scopes that name a customer,
 * a session or an external user are of tokens and not among them.
 */
const projectScopes: ReadonlySet<string> = new Set(
  (
    'create_anonymous_token manage_api_clients view_api_clients manage_approval_flows view_approval_flows ' +
    'manage_approval_rules view_approval_rules manage_associate_roles view_associate_roles ' +
    'manage_attribute_groups view_attribute_groups view_audit_log manage_business_units view_business_units ' +
    'manage_cart_discounts view_cart_discounts manage_categories view_categories manage_channels view_channels ' +
    'manage_customer_groups view_customer_groups manage_customers view_customers manage_discount_codes ' +
    'view_discount_codes manage_extensions manage_key_value_documents view_key_value_documents ' +
    'manage_locked_carts manage_mcp_servers view_mcp_servers view_messages manage_my_business_units ' +
    'manage_my_orders manage_my_payments manage_my_profile manage_my_quote_requests manage_my_quotes ' +
    'manage_my_shopping_lists introspect_oauth_tokens manage_order_edits view_order_edits manage_orders ' +
    'view_orders manage_payment_methods view_payment_methods manage_payments view_payments ' +
    'manage_product_discounts view_product_discounts manage_product_selections view_product_selections ' +
    'manage_product_types view_product_types manage_products view_products manage_project manage_project_settings ' +
    'view_project_settings view_published_products manage_quote_requests view_quote_requests manage_quotes ' +
    'view_quotes manage_recurrence_policies view_recurrence_policies manage_recurring_orders ' +
    'view_recurring_orders manage_shipping_methods view_shipping_methods manage_shopping_lists ' +
    'view_shopping_lists manage_staged_quotes view_staged_quotes manage_standalone_prices view_standalone_prices ' +
    'manage_states view_states manage_stores view_stores manage_subscriptions manage_tax_categories ' +
    'view_tax_categories manage_types view_types manage_zones view_zones'
  ).split(' '),
);

/** Those that can be given for one store as well. */
const storeScopes: ReadonlySet<string> = new Set(
  (
    'manage_business_units view_business_units manage_cart_discounts view_cart_discounts manage_customers ' +
    'view_customers view_discount_codes manage_my_orders manage_my_profile manage_my_shopping_lists manage_orders ' +
    'view_orders manage_products view_products manage_quote_requests view_quote_requests manage_quotes ' +
    'view_quotes manage_shopping_lists view_shopping_lists manage_staged_quotes view_staged_quotes'
  ).split(' '),
);

/** Whether there is such a scope: `name:projectKey`, or `name:projectKey:storeKey` where it can be limited to a store. */
export function isKnownScope(scope: string): boolean {
  const [name = '', , storeKey] = scope.split(':');
  return isScope(scope) && (storeKey === undefined ? projectScopes : storeScopes).has(name);
}
