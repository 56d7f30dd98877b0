CREATE TABLE owners (id INT PRIMARY KEY, name VARCHAR(30) NOT NULL, kind ENUM('person','shop') NOT NULL DEFAULT 'person');
INSERT INTO owners (id, name) VALUES (1, 'Ann'), (2, 'Bob');
ALTER TABLE owners ADD COLUMN note VARCHAR(10) DEFAULT 'n; o';
