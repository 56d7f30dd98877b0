"""What a user of mysql-connector-python does; prints every answer. Arguments: port, schema, and "pure" for the
implementation without C."""

import datetime
import decimal
import os
import sys
import warnings

import mysql.connector
from mysql.connector import errorcode

warnings.simplefilter("ignore")
options = dict(
    host="127.0.0.1",
    port=int(sys.argv[1]),
    user=os.environ.get("CLIENT_USER", "root"),
    database=sys.argv[2],
    use_pure="pure" in sys.argv,
    ssl_disabled=True,
)
connection = mysql.connector.connect(autocommit=True, get_warnings=True, **options)
print(type(connection).__name__, connection.is_connected())

EVERY_TYPE = """CREATE TABLE every_type (id INT AUTO_INCREMENT PRIMARY KEY,
 t TINYINT, tu TINYINT UNSIGNED, s SMALLINT, m MEDIUMINT, i INT UNSIGNED, b BIGINT, bu BIGINT UNSIGNED, z INT(6) ZEROFILL,
 f FLOAT, d DOUBLE, n DECIMAL(20,5), bits BIT(12), c CHAR(10), v VARCHAR(30) CHARACTER SET latin1, tx TEXT, lt LONGTEXT,
 bi BINARY(4), vb VARBINARY(30), bl BLOB, da DATE, dt DATETIME, dt6 DATETIME(6), ts TIMESTAMP NULL, ti TIME(3), y YEAR,
 e ENUM('small','big'), se SET('a','b','c'), js JSON, ge POINT)"""
COLUMNS = "t, tu, s, m, i, b, bu, z, f, d, n, bits, c, v, tx, lt, bi, vb, bl, da, dt, dt6, ts, ti, y, e, se, js"
MOMENT = datetime.datetime(2021, 3, 4, 5, 6, 7, 890000)
FULL = (
    -128, 255, -32768, -8388608, 4294967295, -(2**63), 2**64 - 1, 42,
    1.25, -1e30, decimal.Decimal("-123456789012345.54321"), 0b101000000001, "pad  ", "Zoë",
    "漢字 😀", "l" * 70000, b"\x00\xff", b"\x00'\\\xff", b"\x07" * 300, datetime.date(2020, 2, 29), MOMENT.replace(microsecond=0), MOMENT,
    MOMENT.replace(microsecond=0), datetime.timedelta(hours=30, milliseconds=5), 2024, "big", "a,c", '{"a": [1, null]}',
)


def short(value):
    if isinstance(value, (str, bytes, bytearray)) and len(value) > 200:
        return f"{type(value).__name__} of {len(value)}"
    return sorted(value) if isinstance(value, set) else value


def show(cursor, prepared):
    if cursor.with_rows:
        print([(d[0], d[1], d[6], d[7]) for d in cursor.description])
        for row in cursor:
            print("  ", [short(value) for value in row])
    elif not prepared:
        print("warnings", sorted(cursor.warnings or []))
    print("count", cursor.rowcount, "id", cursor.lastrowid)


def run(sql, arguments=(), **kind):
    cursor = connection.cursor(**kind)
    try:
        cursor.execute(sql, arguments)
        show(cursor, "prepared" in kind)
    except mysql.connector.Error as error:
        print(type(error).__name__, error.errno, error.sqlstate, error.msg)
    finally:
        cursor.close()


def types():
    run(EVERY_TYPE)
    insert = f"INSERT INTO every_type ({COLUMNS}) VALUES ({', '.join(['%s'] * len(FULL))})"
    run(insert, FULL)
    # the implementation in C takes no larger integer for a prepared statement
    run(insert, [min(value, 2**63 - 1) if type(value) is int else value for value in FULL], prepared=True)
    run(insert, (None,) * len(FULL))
    run(insert, (None,) * len(FULL), prepared=True)
    run("UPDATE every_type SET ge = POINT(1.5, -2) WHERE id = 1")
    run("SELECT * FROM every_type ORDER BY id")
    # the implementation in Python reads no YEAR, BIT and GEOMETRY of a prepared statement
    columns = "id, t, tu, s, m, i, b, bu, f, d, n, c, v, tx, vb, bl, da, dt, dt6, ts, ti, e, se, js"
    run(f"SELECT {columns} FROM every_type WHERE id <= %s ORDER BY id", (3,), prepared=True)
    run("SELECT * FROM every_type WHERE id = 1", raw=True)
    run("SELECT id, n, dt6 FROM every_type WHERE id IN (%s, %s) ORDER BY id DESC", (1, 3), dictionary=True)
    for column, value in zip(COLUMNS.split(", "), FULL):
        if column not in ("f", "js", "lt"):
            run(f"SELECT id FROM every_type WHERE {column} = %s ORDER BY id", (value,))
            if column != "bu":
                run(f"SELECT id FROM every_type WHERE {column} = %s ORDER BY id", (value,), prepared=True)


def writes():
    run("CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, owner INT, weight DOUBLE, KEY (owner))")
    cursor = connection.cursor()
    cursor.executemany("INSERT INTO pets (name, owner, weight) VALUES (%s, %s, %s)", [(f"p{i}", i % 7, i / 4) for i in range(2000)])
    print(cursor.rowcount, cursor.lastrowid)
    cursor.executemany("UPDATE pets SET weight = weight + %s WHERE id = %s", [(1, i) for i in range(1, 20)])
    print(cursor.rowcount)
    cursor.execute("SELECT owner, COUNT(*), SUM(weight), MAX(name) FROM pets GROUP BY owner ORDER BY owner")
    print(cursor.fetchone(), cursor.fetchmany(3), cursor.fetchall())
    run("INSERT INTO pets (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = 'twice'")
    run("REPLACE INTO pets (id, name) VALUES (2, 'again')")
    run("INSERT IGNORE INTO pets (id, name) VALUES (2, 'a name that is longer than the column')")
    run("SELECT name + 0 FROM pets WHERE id = 1")
    run("UPDATE pets SET weight = 3 WHERE id < 4")
    run("DELETE FROM pets WHERE owner = %(owner)s", {"owner": 6})
    prepared = connection.cursor(prepared=True)
    for i in range(5):
        prepared.execute("SELECT name, weight FROM pets WHERE id = ?", (i * 10 + 1,))
        print(prepared.fetchall())
    prepared.close()
    unread = connection.cursor(buffered=False)
    unread.execute("SELECT id, name FROM pets ORDER BY id")
    print(sum(row[0] for row in unread))
    unread.close()
    several = connection.cursor()
    several.execute("SELECT 1; UPDATE pets SET weight = 0 WHERE id = 3; SELECT COUNT(*) FROM pets")
    for _, result in several.fetchsets():
        print(result)
    several.close()


def transactions():
    connection.autocommit = False
    for finish in (connection.rollback, connection.commit):
        connection.start_transaction(isolation_level="READ COMMITTED")
        run("DELETE FROM pets WHERE id > 100")
        run("SAVEPOINT a")
        run("DELETE FROM pets")
        run("ROLLBACK TO SAVEPOINT a")
        run("SELECT COUNT(*) FROM pets")
        print(connection.in_transaction)
        finish()
        run("SELECT COUNT(*) FROM pets")
        connection.rollback()
    connection.start_transaction(consistent_snapshot=True, readonly=True)
    run("DELETE FROM pets")
    connection.rollback()
    connection.autocommit = True


def errors():
    for sql in (
        "INSERT INTO pets (id, name) VALUES (1, 'x')",
        "INSERT INTO pets (name) VALUES (NULL)",
        "INSERT INTO pets (name) VALUES ('a name that is longer than the column')",
        "INSERT INTO every_type (tu) VALUES (-1)",
        "INSERT INTO every_type (da) VALUES ('2023-02-30')",
        "SELECT nope FROM pets",
        "SELECT 1 FROM nothing",
        "SELEC 1",
        "SELECT * FROM pets WHERE id = (SELECT id FROM pets WHERE id < 9)",
    ):
        run(sql)
        run(sql, prepared=True)
    run("SELECT 1/0, CAST('x' AS SIGNED)")
    print(errorcode.ER_DUP_ENTRY)


def locks():
    other = mysql.connector.connect(**options)
    cursor = other.cursor()
    cursor.execute("SELECT id FROM pets WHERE id = 1 FOR UPDATE")
    print(cursor.fetchall())
    run("SET SESSION innodb_lock_wait_timeout = 1")
    run("UPDATE pets SET weight = 1 WHERE id = 1")
    run("SELECT id FROM pets WHERE id = 1 FOR UPDATE NOWAIT", prepared=True)
    other.rollback()
    run("UPDATE pets SET weight = 17 WHERE id = 1")
    other.close()


def session():
    run("SET @a = 5, sql_mode = ''")
    connection.reset_session(user_variables={"b": 2}, session_variables={"sql_mode": "ANSI_QUOTES"})
    run("SELECT @a, @b, @@sql_mode")
    connection.cmd_change_user(os.environ.get("CLIENT_USER", "root"), "", sys.argv[2])
    run("SELECT @b, DATABASE()")
    connection.set_charset_collation("latin1", "latin1_german1_ci")
    run("SELECT @@character_set_client, @@collation_connection")
    connection.database = "information_schema"
    run("SELECT table_name FROM tables WHERE table_schema = %s ORDER BY table_name", (sys.argv[2],))
    connection.ping(reconnect=True)
    connection.cmd_init_db(sys.argv[2])


types()
writes()
transactions()
errors()
locks()
session()
connection.close()
print("done")
