//! What a user of sqlx does; prints every answer. Arguments: port, schema, "keyless" for no foreign keys.
mod show;
mod types;

use futures_util::TryStreamExt;
use show::{affected, failed, query, rows};
use sqlx::migrate::Migrator;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions, MySqlSslMode};
use sqlx::{AssertSqlSafe, Connection, Either, Executor, QueryBuilder, Row, SqlSafeStr, Statement};
use std::path::Path;
use std::time::Duration;

pub type Done = Result<(), sqlx::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let options = MySqlConnectOptions::new()
        .host("127.0.0.1")
        .port(arguments[1].parse()?)
        .username(&std::env::var("CLIENT_USER").unwrap_or("root".to_string()))
        .database(&arguments[2])
        .ssl_mode(MySqlSslMode::Disabled)
        .statement_cache_capacity(20);
    let pool = MySqlPoolOptions::new().max_connections(4).connect_with(options.clone()).await?;
    migrations(&pool).await?;
    if arguments.len() == 3 {
        foreign_keys(&pool).await?;
    }
    types::every_type(&pool).await?;
    crud(&pool).await?;
    transactions(&pool).await?;
    bulk_and_streams(&pool).await?;
    let mut connection = MySqlConnection::connect_with(&options).await?;
    statements(&mut connection).await?;
    errors(&pool).await?;
    locks(&pool).await?;
    connection.ping().await?;
    connection.close().await?;
    pool.close().await;
    println!("done");
    Ok(())
}

async fn migrations(pool: &MySqlPool) -> Result<(), sqlx::migrate::MigrateError> {
    let migrator = Migrator::new(Path::new("migrations")).await?;
    println!("{:?}", migrator.iter().map(|m| (m.version, m.description.clone())).collect::<Vec<_>>());
    migrator.run(pool).await?;
    migrator.run(pool).await?;
    let applied = "SELECT version, description, success, LENGTH(checksum), execution_time > 0 FROM _sqlx_migrations ORDER BY 1";
    query(pool, applied).await?;
    query(pool, "SELECT * FROM item ORDER BY id").await?;
    migrator.undo(pool, 1).await?;
    query(pool, applied).await?;
    query(pool, "SHOW COLUMNS FROM item").await?;
    migrator.run_to(2, pool).await?;
    migrator.run(pool).await?;
    query(pool, "SELECT id, shop_id, label, stock FROM item ORDER BY id").await?;

    let mut failing = Migrator::new(Path::new("failing")).await?;
    failing.dangerous_set_table_name("failing_migrations");
    // one that fails leaves its named lock to its connection
    let mut connection = pool.acquire().await?.detach();
    for _ in 0..2 {
        println!("{}", failing.run(&mut connection).await.unwrap_err());
    }
    query(pool, "SELECT IS_FREE_LOCK('no such lock')").await?;
    connection.close().await?;
    query(pool, "SELECT COUNT(*) FROM halfway").await?;
    query(pool, "SELECT version, success FROM failing_migrations").await?;
    Ok(())
}

async fn foreign_keys(pool: &MySqlPool) -> Done {
    affected(
        pool,
        "ALTER TABLE item ADD CONSTRAINT of_shop FOREIGN KEY (shop_id) REFERENCES shop (id) ON DELETE CASCADE",
    )
    .await?;
    failed(pool, "INSERT INTO item (id, shop_id) VALUES (-1, 99)").await;
    failed(pool, "UPDATE shop SET id = 77 WHERE id = 1").await;
    affected(pool, "INSERT INTO shop (id, name) VALUES (50, 'gone')").await?;
    affected(pool, "INSERT INTO item (shop_id, label) VALUES (50, 'a'), (50, 'b')").await?;
    affected(pool, "DELETE FROM shop WHERE id = 50").await?;
    query(pool, "SELECT COUNT(*) FROM item WHERE shop_id = 50").await
}

#[derive(sqlx::FromRow, Debug)]
#[allow(dead_code)]
struct Item {
    id: i64,
    label: Option<String>,
    #[sqlx(rename = "price")]
    costs: Option<sqlx::types::Decimal>,
    #[sqlx(default)]
    absent: i32,
}

async fn crud(pool: &MySqlPool) -> Done {
    let done = sqlx::query("INSERT INTO item (shop_id, label, price) VALUES (?, ?, ?), (?, ?, ?)")
        .bind(1)
        .bind("cup")
        .bind(sqlx::types::Decimal::new(999, 2))
        .bind(2u8)
        .bind(None::<String>)
        .bind(None::<f64>)
        .execute(pool)
        .await?;
    println!("{} {}", done.rows_affected(), done.last_insert_id());
    let items: Vec<Item> = sqlx::query_as("SELECT id, label, price FROM item WHERE id >= ? ORDER BY id")
        .bind(1i64)
        .fetch_all(pool)
        .await?;
    println!("{items:?}");
    let one: Option<Item> =
        sqlx::query_as("SELECT * FROM item WHERE label = ?").bind("none").fetch_optional(pool).await?;
    println!("{one:?}");
    let (count, sum, most): (i64, sqlx::types::Decimal, Option<String>) =
        sqlx::query_as("SELECT COUNT(*), SUM(price), MAX(label) FROM item").fetch_one(pool).await?;
    println!("{count} {sum} {most:?}");
    let labels: Vec<Option<String>> =
        sqlx::query_scalar("SELECT label FROM item WHERE shop_id IN (?, ?) ORDER BY label DESC, id")
            .bind(1)
            .bind(2)
            .fetch_all(pool)
            .await?;
    println!("{labels:?}");
    let updated = sqlx::query("UPDATE item SET price = price + ?, label = UPPER(label) WHERE price > ?")
        .bind(0.5)
        .bind("1.2")
        .execute(pool)
        .await?;
    println!("{}", updated.rows_affected());
    affected(pool, "UPDATE item SET stock = 7").await?;
    query(
        pool,
        "SELECT s.name, COUNT(i.id) AS n, AVG(i.price) AS mean, GROUP_CONCAT(i.label ORDER BY i.id) AS labels \
         FROM shop s LEFT JOIN item i ON i.shop_id = s.id GROUP BY s.name ORDER BY s.name",
    )
    .await?;
    affected(pool, "INSERT INTO shop (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = CONCAT(name, '!')").await?;
    affected(pool, "INSERT IGNORE INTO shop (id, name) VALUES (1, 'x'), (9, 'nine')").await?;
    affected(pool, "REPLACE INTO shop (id, name) VALUES (9, 'neun'), (10, 'zehn')").await?;
    affected(pool, "DELETE FROM shop WHERE id >= 9").await?;
    affected(pool, "UPDATE shop SET name = name").await?;
    query(pool, "SELECT * FROM shop ORDER BY id").await
}

async fn count(pool: &MySqlPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM shop").fetch_one(pool).await
}

async fn transactions(pool: &MySqlPool) -> Done {
    const ADD: &str = "INSERT INTO shop (name) VALUES ('in a transaction')";
    let mut dropped = pool.begin().await?;
    dropped.execute(ADD).await?;
    drop(dropped);
    println!("dropped {}", count(pool).await?);

    let mut outer = pool.begin().await?;
    outer.execute(ADD).await?;
    let mut inner = outer.begin().await?;
    inner.execute(ADD).await?;
    let mut innermost = inner.begin().await?;
    innermost.execute("DELETE FROM shop").await.map(|d| println!("deleted {}", d.rows_affected()))?;
    innermost.rollback().await?;
    inner.commit().await?;
    println!("outside {}", count(pool).await?);
    outer.commit().await?;
    println!("committed {}", count(pool).await?);

    let mut serializable = pool.begin_with("START TRANSACTION READ ONLY").await?;
    failed(&mut *serializable, ADD).await;
    query(&mut *serializable, "SELECT COUNT(*) FROM shop").await?;
    serializable.rollback().await?;

    let mut connection = pool.acquire().await?;
    connection.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED").await?;
    let outcome: Result<u64, sqlx::Error> = connection
        .transaction(|transaction| {
            Box::pin(async move {
                let done = transaction.execute("UPDATE shop SET name = CONCAT(name, id) WHERE id > 2").await?;
                println!("in closure {}", done.rows_affected());
                transaction.execute("INSERT INTO shop (id, name) VALUES (1, 'again')").await?;
                Ok(1)
            })
        })
        .await;
    println!("{}", show::text(&outcome.unwrap_err()));
    query(pool, "SELECT name FROM shop ORDER BY id").await
}

async fn bulk_and_streams(pool: &MySqlPool) -> Done {
    affected(pool, "CREATE TABLE bulk (id INT PRIMARY KEY, half DOUBLE, name VARCHAR(30), raw VARBINARY(300))").await?;
    for chunk in 0..4 {
        let mut builder = QueryBuilder::new("INSERT INTO bulk (id, half, name, raw) ");
        builder.push_values(chunk * 1000..(chunk + 1) * 1000, |mut row, id| {
            row.push_bind(id)
                .push_bind((id % 3 != 0).then_some(f64::from(id) / 2.0))
                .push_bind(format!("Nº {id}"))
                .push_bind(vec![id as u8; (id % 300) as usize]);
        });
        println!("{}", builder.build().execute(pool).await?.rows_affected());
    }
    let mut stream = sqlx::query("SELECT id, half, raw FROM bulk ORDER BY id").fetch(pool);
    let (mut seen, mut halves, mut bytes) = (0, 0.0, 0);
    while let Some(row) = stream.try_next().await? {
        let id: i32 = row.get(0);
        assert_eq!(seen, id);
        seen += 1;
        halves += row.get::<Option<f64>, _>("half").unwrap_or(0.25);
        bytes += row.get::<&[u8], _>("raw").len();
    }
    drop(stream);
    println!("{seen} {halves} {bytes}");

    let mut left = sqlx::query("SELECT a.id FROM bulk a, bulk b WHERE b.id < 20").fetch(pool);
    println!("{}", left.try_next().await?.is_some());
    drop(left);
    query(pool, "SELECT COUNT(*), COUNT(half), SUM(half) FROM bulk").await?;

    let mut several = sqlx::raw_sql("DELETE FROM bulk WHERE id % 2; SELECT COUNT(*) FROM bulk; SELECT id FROM bulk WHERE id < 5 ORDER BY id")
        .fetch_many(pool);
    while let Some(part) = several.try_next().await? {
        match part {
            Either::Left(done) => println!("done {}", done.rows_affected()),
            Either::Right(row) => rows(&[row]),
        }
    }
    let big = "x".repeat(3_000_000);
    let length: i64 = sqlx::query_scalar("SELECT LENGTH(?)").bind(&big).fetch_one(pool).await?;
    println!("{length}");
    Ok(())
}

async fn statements(connection: &mut MySqlConnection) -> Done {
    for text in [
        "SELECT id, name AS called FROM shop WHERE id = ? AND name <> ?",
        "SELECT * FROM every_type WHERE v = ?",
        "SELECT COUNT(*), SUM(n), MAX(dt6), id + ?, CONCAT(c, 'x') FROM every_type GROUP BY id, c",
        "UPDATE shop SET name = ? WHERE id = ?",
        "SELECT ? + 1, 'a', NULL, 1.5, NOW(6) > ?",
    ] {
        let statement = (&mut *connection).prepare(text.into_sql_str()).await?;
        println!("{:?}", statement.parameters().map(|p| p.right()));
        for column in statement.columns() {
            show::column(column);
        }
        println!();
    }
    for size in 1..60 {
        let places = vec!["?"; size].join(", ");
        let text = AssertSqlSafe(format!("SELECT COUNT(*) FROM bulk WHERE id IN ({places})"));
        let mut query = sqlx::query_scalar(text);
        for id in 0..size {
            query = query.bind(id as i32);
        }
        let found: i64 = query.fetch_one(&mut *connection).await?;
        assert_eq!(size.div_ceil(2), found as usize);
    }
    println!("cached {}", connection.cached_statements_size());
    let found: i64 = sqlx::query_scalar("SELECT id FROM bulk WHERE id = ?")
        .bind(8)
        .persistent(false)
        .fetch_one(&mut *connection)
        .await?;
    println!("{found}");
    connection.clear_cached_statements().await?;
    connection.execute("ALTER TABLE bulk ADD COLUMN more INT DEFAULT 3").await?;
    for _ in 0..2 {
        let row = sqlx::query("SELECT * FROM bulk WHERE id = ?").bind(8).fetch_one(&mut *connection).await?;
        rows(&[row]);
    }
    Ok(())
}

async fn errors(pool: &MySqlPool) -> Done {
    for text in [
        "INSERT INTO shop (id, name) VALUES (1, 'again')",
        "INSERT INTO shop (name) VALUES (NULL)",
        "INSERT INTO shop (name) VALUES ('this name is far longer than forty characters')",
        "INSERT INTO item (shop_id, price) VALUES (1, -1)",
        "INSERT INTO item (shop_id, stock) VALUES (1, -1)",
        "INSERT INTO item (shop_id, price) VALUES (1, 'much')",
        "INSERT INTO item (label) VALUES ('no shop')",
        "INSERT INTO every_type (id, e) VALUES (100, 'middle')",
        "INSERT INTO every_type (id, da) VALUES (100, '2023-02-30')",
        "INSERT INTO every_type (id, js) VALUES (100, '{')",
        "INSERT INTO every_type (id, t1) VALUES (100, 1000)",
        "INSERT INTO shop VALUES (1)",
        "SELECT nope FROM shop",
        "SELECT id FROM nothing",
        "SELECT id FROM no_database.shop",
        "SELEC 1",
        "SELECT no_function(1)",
        "SELECT (SELECT id FROM bulk WHERE id < 9)",
        "SELECT name, COUNT(*) FROM shop",
        "CREATE TABLE shop (id INT)",
        "DROP TABLE nothing",
        "ALTER TABLE shop DROP COLUMN nope",
    ] {
        failed(pool, text).await;
    }
    let missing = sqlx::query("SELECT 1 WHERE 1 = 0").fetch_one(pool).await;
    println!("{}", missing.unwrap_err());
    let wrong = sqlx::query_scalar::<_, i64>("SELECT 'text'").fetch_one(pool).await;
    println!("{}", wrong.unwrap_err());
    Ok(())
}

async fn locks(pool: &MySqlPool) -> Done {
    let mut first = pool.begin().await?;
    let mut second = pool.begin().await?;
    second.execute("SET SESSION innodb_lock_wait_timeout = 1").await?;
    query(&mut *first, "SELECT id FROM shop WHERE id = 1 FOR UPDATE").await?;
    failed(&mut *second, "SELECT id FROM shop WHERE id = 1 FOR UPDATE NOWAIT").await;
    query(&mut *second, "SELECT id FROM shop WHERE id = 1 FOR UPDATE SKIP LOCKED").await?;
    failed(&mut *second, "UPDATE shop SET name = 'waits' WHERE id = 1").await;
    query(&mut *second, "SELECT COUNT(*) FROM shop").await?;
    second.execute("SET SESSION innodb_lock_wait_timeout = 50").await?;
    second.rollback().await?;
    first.rollback().await?;

    let mut first = pool.begin().await?;
    let mut second = pool.begin().await?;
    first.execute("UPDATE shop SET name = 'first' WHERE id = 1").await?;
    second.execute("UPDATE shop SET name = 'second' WHERE id = 2").await?;
    let (one, other) = tokio::join!(
        async {
            let done = first.execute("UPDATE shop SET name = 'first' WHERE id = 2").await;
            if done.is_err() { first.rollback().await?; } else { first.commit().await?; }
            done
        },
        async {
            tokio::task::yield_now().await;
            let done = second.execute("UPDATE shop SET name = 'second' WHERE id = 1").await;
            if done.is_err() { second.rollback().await?; } else { second.commit().await?; }
            done
        }
    );
    for outcome in [&one, &other] {
        if let Err(error) = outcome {
            println!("{}", show::text(error));
        }
    }
    println!("{}", one.is_ok() != other.is_ok());
    let kept: Vec<String> = sqlx::query_scalar("SELECT name FROM shop WHERE id <= 2").fetch_all(pool).await?;
    println!("{}", kept[0] == kept[1]);
    tokio::time::timeout(Duration::from_secs(20), query(pool, "SELECT COUNT(*) FROM shop FOR UPDATE"))
        .await
        .map_err(|_| sqlx::Error::PoolTimedOut)?
}
