ALTER TABLE item ADD COLUMN stock INT UNSIGNED NOT NULL DEFAULT 7 AFTER label, ADD KEY by_label (label);
-- what was there gets the default
INSERT INTO item (shop_id, label, price) VALUES (1, 'pen', 1.5), (2, 'ink', 20.25);
UPDATE item SET stock = stock + 1 WHERE label = 'pen';
