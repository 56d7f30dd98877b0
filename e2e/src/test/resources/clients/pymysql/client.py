"""What a PyMySQL user does; prints every answer. Arguments: port, schema."""
import datetime
import decimal
import os
import sys

import pymysql

connection = pymysql.connect(
    host="127.0.0.1", port=int(sys.argv[1]), user=os.environ.get("CLIENT_USER", "root"), password="",
    database=sys.argv[2], autocommit=True, charset="utf8mb4")
cursor = connection.cursor()


def run(sql, arguments=None):
    count = cursor.execute(sql, arguments)
    rows = cursor.fetchall() if cursor.description else None
    print(count, cursor.lastrowid if rows is None else [d[0:2] for d in cursor.description], rows)


run("CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, big BIGINT UNSIGNED, price DECIMAL(12,3),"
    " f DOUBLE, name VARCHAR(30), raw VARBINARY(30), born DATE, at DATETIME(6), took TIME(3),"
    " flag BIT(1), doc JSON, kind ENUM('cat','dog'))")
sql = ("INSERT INTO pets (big, price, f, name, raw, born, at, took, flag, doc, kind)"
       " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)")
run(sql, (18446744073709551615, decimal.Decimal("12.345"), 1.5, "Žofie 😀", b"\x00\xff'",
          datetime.date(2020, 2, 29), datetime.datetime(2021, 3, 4, 5, 6, 7, 890000),
          datetime.timedelta(hours=30, milliseconds=5), b"\x01", '{"a": [1, null]}', "dog"))
run(sql, (None,) * 11)
print(cursor.executemany("INSERT INTO pets (name, f) VALUES (%s, %s)", [("a", 1), ("b", 2), ("c", 3)]))
run("SELECT * FROM pets ORDER BY id")
run("SELECT name, f FROM pets WHERE id = %s", (4,))
run("SELECT COUNT(*), SUM(f), MAX(name) FROM pets")
run("UPDATE pets SET f = f + 1 WHERE f IS NOT NULL")
connection.begin()
run("DELETE FROM pets WHERE id > 1")
run("SELECT COUNT(*) FROM pets")
connection.rollback()
run("SELECT COUNT(*) FROM pets")
connection.begin()
run("UPDATE pets SET name = 'z' WHERE id IN (3, 4)")
connection.commit()
run("SELECT id, name FROM pets ORDER BY name DESC, id LIMIT 2")
for bad in ("INSERT INTO pets (id) VALUES (1)", "SELECT nope FROM pets", "SELEC 1", "SELECT * FROM nothing"):
    try:
        run(bad)
    except pymysql.MySQLError as error:
        print(type(error).__name__, error.args[0], error.args[1])
unbuffered = connection.cursor(pymysql.cursors.SSCursor)
unbuffered.execute("SELECT id FROM pets ORDER BY id")
print([row[0] for row in unbuffered])
unbuffered.close()
connection.ping()
connection.select_db(sys.argv[2])
connection.close()
print("done")
