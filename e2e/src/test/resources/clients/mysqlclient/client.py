"""What a user of mysqlclient (MySQLdb, by way of libmysqlclient) does; prints every answer. Arguments: port, schema."""

import datetime
import decimal
import os
import sys

import MySQLdb
from MySQLdb.cursors import DictCursor, SSCursor

options = dict(host="127.0.0.1", port=int(sys.argv[1]), user=os.environ.get("CLIENT_USER", "root"), database=sys.argv[2], charset="utf8mb4")
connection = MySQLdb.connect(autocommit=True, local_infile=True, **options)


def show(cursor):
    rows = cursor.fetchall()
    if cursor.description:
        print([d[0:2] + d[3:] for d in cursor.description])
    print(cursor.rowcount, cursor.lastrowid)
    for row in rows:
        print("  ", row)


def run(sql, arguments=None, kind=None, on=connection):
    cursor = on.cursor(kind)
    try:
        cursor.execute(sql, arguments)
        show(cursor)
        while cursor.nextset():
            show(cursor)
    except MySQLdb.Error as error:
        print(type(error).__name__, error.args)
    cursor.close()


def types():
    run(
        "CREATE TABLE every_type (id INT AUTO_INCREMENT PRIMARY KEY, t TINYINT, bu BIGINT UNSIGNED, z INT(6) ZEROFILL, f FLOAT, d DOUBLE,"
        " n DECIMAL(20,5), bits BIT(12), c CHAR(10), v VARCHAR(30), tx TEXT, vb VARBINARY(30), bl BLOB, da DATE, dt6 DATETIME(6),"
        " ts TIMESTAMP NULL, ti TIME(3), y YEAR, e ENUM('small','big'), se SET('a','b','c'), js JSON, ge POINT)"
    )
    moment = datetime.datetime(2021, 3, 4, 5, 6, 7, 890000)
    full = (
        -128, 2**64 - 1, 42, 1.25, -1e300, decimal.Decimal("-123456789012345.54321"), 2561, "pad  ", "Žofie 😀", "t" * 300, b"\x00'\\\xff", b"\x07" * 30,
        datetime.date(2020, 2, 29), moment, moment, datetime.timedelta(hours=-30, milliseconds=5), 2024, "big", "a,c", '{"a": [1, null]}',
    )
    insert = "INSERT INTO every_type (t, bu, z, f, d, n, bits, c, v, tx, vb, bl, da, dt6, ts, ti, y, e, se, js) VALUES (" + ", ".join(["%s"] * 20) + ")"
    run(insert, full)
    run(insert, (None,) * 20)
    run("UPDATE every_type SET ge = POINT(1.5, -2) WHERE id = 1")
    run("SELECT * FROM every_type ORDER BY id")
    run("SELECT * FROM every_type WHERE v = %s AND vb = %s", (full[8], full[10]), DictCursor)


def writes():
    run("CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, owner INT, weight DOUBLE, KEY (owner))")
    cursor = connection.cursor()
    print(cursor.executemany("INSERT INTO pets (name, owner, weight) VALUES (%s, %s, %s)", [(f"p{i}", i % 7, i / 4) for i in range(3000)]))
    print(connection.insert_id(), connection.info(), connection.affected_rows())
    run("UPDATE pets SET weight = 3 WHERE id < 10")
    print(connection.info())
    run("UPDATE pets SET weight = 3 WHERE id < 11")
    print(connection.info(), connection.warning_count())
    run("INSERT IGNORE INTO pets (id, name) VALUES (2, 'two'), (90000, 'a name that is longer than the column')")
    print(connection.info(), connection.warning_count())
    run("SHOW WARNINGS")
    run("REPLACE INTO pets (id, name) VALUES (2, 'again'), (90000, 'y')")
    run("INSERT INTO pets (id, name) VALUES (2, 'again') ON DUPLICATE KEY UPDATE weight = 9")
    run("SELECT owner, COUNT(*), AVG(weight) FROM pets GROUP BY owner ORDER BY owner")
    run("SELECT 1; UPDATE pets SET weight = 0 WHERE id = 3; SELECT COUNT(*) FROM pets; SELECT nope; SELECT 2")
    streaming = connection.cursor(SSCursor)
    streaming.execute("SELECT id, name FROM pets ORDER BY id")
    print(streaming.fetchone(), streaming.fetchmany(2), sum(row[0] for row in streaming))
    streaming.close()
    connection.query("SELECT id, name FROM pets WHERE id < 4 ORDER BY id")
    result = connection.use_result()
    print(result.describe(), result.field_flags(), result.fetch_row(0))


def transactions():
    connection.autocommit(False)
    for finish in (connection.rollback, connection.commit):
        connection.begin()
        run("DELETE FROM pets WHERE id > 100")
        run("SAVEPOINT a")
        run("DELETE FROM pets")
        run("ROLLBACK TO SAVEPOINT a")
        finish()
        run("SELECT COUNT(*) FROM pets")
        connection.rollback()
    connection.autocommit(True)


def errors():
    for sql in (
        "INSERT INTO pets (id, name) VALUES (1, 'x')",
        "INSERT INTO pets (name) VALUES (NULL)",
        "INSERT INTO pets (name) VALUES ('a name that is longer than the column')",
        "INSERT INTO every_type (t) VALUES (1000)",
        "SELECT nope FROM pets",
        "SELECT 1 FROM nothing",
        "SELEC 1",
    ):
        run(sql)
    print(connection.errno(), connection.error(), connection.sqlstate())


def locks():
    other = MySQLdb.connect(**options)
    run("SELECT id FROM pets WHERE id = 1 FOR UPDATE", on=other)
    run("SET SESSION innodb_lock_wait_timeout = 1")
    run("UPDATE pets SET weight = 1 WHERE id = 1")
    run("SELECT id FROM pets WHERE id = 1 FOR UPDATE NOWAIT")
    other.rollback()
    run("UPDATE pets SET weight = 17 WHERE id = 1")
    other.close()


def session():
    with open("pets.txt", "w") as file:
        file.writelines(f"{i}\tloaded {i}\t\\N\t{i / 2}\n" for i in range(4000, 4500))
    run("LOAD DATA LOCAL INFILE 'pets.txt' INTO TABLE pets")
    print(connection.info())
    run("SET @a = 5")
    connection.change_user(options["user"], "", sys.argv[2])
    run("SELECT @a, DATABASE()")
    connection.set_character_set("latin1")
    run("SELECT @@character_set_results, COUNT(*) FROM pets")
    connection.select_db("information_schema")
    run("SELECT table_name FROM tables WHERE table_schema = %s ORDER BY table_name", (sys.argv[2],))
    print(connection.field_count(), connection.character_set_name(), connection.get_proto_info())
    connection.ping()
    connection.set_server_option(1)
    run("SELECT 1; SELECT 2")


types()
writes()
transactions()
errors()
locks()
session()
connection.close()
print("done")
