DROP TABLE every_type;
