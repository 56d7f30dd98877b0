CREATE TABLE shop (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, UNIQUE KEY by_name (name, id));
CREATE TABLE item (id BIGINT AUTO_INCREMENT PRIMARY KEY, shop_id INT NOT NULL, label VARCHAR(20), price DECIMAL(9,2),
  CONSTRAINT positive CHECK (price >= 0));
INSERT INTO shop (name) VALUES ('first; not two'), ('second');
