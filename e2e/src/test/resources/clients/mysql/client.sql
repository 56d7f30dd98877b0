-- What a user of the mysql command line does.
CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, big BIGINT UNSIGNED, price DECIMAL(12,3), f DOUBLE, name VARCHAR(30), raw_bytes VARBINARY(30), born DATE, seen DATETIME(6), took TIME(3), flag BIT(1), doc JSON);
INSERT INTO pets (big, price, f, name, raw_bytes, born, seen, took, flag, doc) VALUES (18446744073709551615, 12.345, 1.5, 'Žofie', x'00FF', '2020-02-29', '2021-03-04 05:06:07.89', '30:00:00.005', 1, '{"a": [1, null]}');
INSERT INTO pets (id) VALUES (NULL);
INSERT INTO pets (name, f) VALUES ('a', 1), ('b', 2), ('c', 3);
SELECT * FROM pets ORDER BY id;
SELECT name FROM pets WHERE id = 4\G
UPDATE pets SET f = 2 WHERE f IS NOT NULL;
BEGIN;
DELETE FROM pets WHERE id > 1;
SELECT COUNT(*), SUM(f) FROM pets;
ROLLBACK;
SELECT COUNT(*), SUM(f) FROM pets;
INSERT INTO pets (id) VALUES (1);
SELECT nope FROM pets;
SELEC 1;
INSERT IGNORE INTO pets (id, name) VALUES (9, 'much too long for a column of thirty characters');
SHOW WARNINGS;
delimiter //
SELECT 1; SELECT 2//
delimiter ;
SHOW TABLES;
DESCRIBE pets;
use mysql;
SELECT DATABASE();
