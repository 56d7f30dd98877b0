ALTER TABLE item DROP KEY by_label, DROP COLUMN stock;
