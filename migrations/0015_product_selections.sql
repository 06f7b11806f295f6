-- Products in selections are found by the product and by the selection.
create index documents_by_product on documents (project, kind, md5(data #>> '{product,id}'))
  where kind = 'product-selection-assignment';
create index documents_by_product_selection on documents (project, kind, md5(data #>> '{productSelection,id}'))
  where kind = 'product-selection-assignment';
