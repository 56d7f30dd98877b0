"""The 22 queries of TPC-H on DuckDB in memory, with 2 threads: run by bench/tpch.

Usage: tpch-duckdb.py QUERIES TABLES ROUNDS. QUERIES has q01.sql to q22.sql, TABLES a file of
tab-separated lines with a header for each table. Prints the medians of the rounds after a first
one, and their geometric mean, as `alrai bench tpch` does.
"""

import math
import statistics
import sys
import time
from pathlib import Path

import duckdb

WHOLE = "BIGINT"
MONEY = "DECIMAL(15,2)"
TEXT = "VARCHAR"
SUFFIXES = {
    "key": WHOLE, "size": WHOLE, "availqty": WHOLE, "linenumber": WHOLE, "shippriority": WHOLE,
    "date": "DATE", "price": MONEY, "cost": MONEY, "acctbal": MONEY, "quantity": MONEY,
    "discount": MONEY, "tax": MONEY,
}


def kind(column: str) -> str:
    return next((type for end, type in SUFFIXES.items() if column.endswith(end)), TEXT)


def load(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    with file.open() as lines:
        columns = lines.readline().rstrip("\n").split("\t")
    types = ", ".join(f"'{column}': '{kind(column)}'" for column in columns)
    connection.execute(
        f"CREATE TABLE {file.stem} AS SELECT * FROM read_csv('{file}', delim='\t', header=true,"
        f" quote='', escape='', auto_detect=false, columns={{{types}}})"
    )


def main(queries: Path, tables: Path, rounds: int) -> None:
    connection = duckdb.connect(config={"threads": 2})
    for file in sorted(tables.iterdir()):
        load(connection, file)
    medians = []
    report = []
    for file in sorted(queries.glob("q*.sql")):
        sql = file.read_text()
        times = []
        rows = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            rows = connection.execute(sql).fetchall()
            times.append((time.perf_counter() - start) * 1000)
        medians.append(statistics.median(times[1:]))
        report.append(f"{file.stem} {medians[-1]:10.2f} ms {len(rows):7d} rows")
    mean = math.exp(statistics.fmean(math.log(median) for median in medians))
    print(f"geometric-mean-ms {mean:.2f}")
    print(f"total-ms {sum(medians):.2f}, rounds {rounds}")
    print("\n".join(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
