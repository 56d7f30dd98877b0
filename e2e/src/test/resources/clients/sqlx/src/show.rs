//! Prints what a server answers.
use sqlx::mysql::{MySql, MySqlColumn, MySqlRow, types::MySqlTime};
use sqlx::types::{Decimal, chrono};
use sqlx::{Column, ColumnIndex, Decode, Executor, Row, SqlSafeStr, Type, TypeInfo, ValueRef};

/// Runs a text with a prepared statement and prints its rows, with the columns before the first.
pub async fn query<'e, E: Executor<'e, Database = MySql>>(on: E, text: &'static str) -> crate::Done {
    let found = sqlx::query(text).fetch_all(on).await?;
    if let Some(first) = found.first() {
        first.columns().iter().for_each(column);
    }
    println!("{} rows", found.len());
    rows(&found);
    Ok(())
}

pub async fn affected<'e, E: Executor<'e, Database = MySql>>(on: E, text: &'static str) -> crate::Done {
    let done = sqlx::query(text).execute(on).await?;
    println!("affected {}, id {}", done.rows_affected(), done.last_insert_id());
    Ok(())
}

/// Runs a text that is to fail, and prints why it did.
pub async fn failed<'e, E: Executor<'e, Database = MySql>>(on: E, text: &'static str) {
    match on.execute(sqlx::query(text.into_sql_str())).await {
        Ok(done) => println!("no error: {text}, {} rows", done.rows_affected()),
        Err(error) => println!("{}", self::text(&error)),
    }
}

pub fn text(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(known) => {
            let mysql = known.downcast_ref::<sqlx::mysql::MySqlDatabaseError>();
            format!("{} {:?} {:?} {}", mysql.number(), known.code(), known.kind(), known.message())
        }
        None => format!("{error}"),
    }
}

pub fn column(column: &MySqlColumn) {
    print!("{} {} {:?} | ", column.name(), column.type_info().name(), column.origin());
}

pub fn rows(rows: &[MySqlRow]) {
    for row in rows {
        let values: Vec<String> = (0..row.len()).map(|index| value(row, index)).collect();
        println!("  {}", values.join(", "));
    }
}

fn value(row: &MySqlRow, index: usize) -> String {
    let raw = row.try_get_raw(index).expect("a value");
    if raw.is_null() {
        return "NULL".to_owned();
    }
    let name = raw.type_info().name().to_owned();
    match name.as_str() {
        "BOOLEAN" => typed::<bool>(row, index),
        "FLOAT" => typed::<f32>(row, index),
        "DOUBLE" => typed::<f64>(row, index),
        "DECIMAL" => typed::<Decimal>(row, index),
        "DATE" => typed::<chrono::NaiveDate>(row, index),
        "DATETIME" => typed::<chrono::NaiveDateTime>(row, index),
        "TIMESTAMP" => typed::<chrono::DateTime<chrono::Utc>>(row, index),
        "TIME" => typed::<MySqlTime>(row, index),
        "JSON" => typed::<sqlx::types::JsonValue>(row, index),
        "BIT" => typed::<u64>(row, index),
        "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" | "ENUM" | "SET" => {
            format!("{:?}", row.get_unchecked::<String, _>(index))
        }
        name if name.ends_with("INT UNSIGNED") || name == "YEAR" => typed::<u64>(row, index),
        name if name.ends_with("INT") => typed::<i64>(row, index),
        _ => format!("{:?}", row.get_unchecked::<Vec<u8>, _>(index)),
    }
}

fn typed<'r, T: Decode<'r, MySql> + Type<MySql> + std::fmt::Debug>(row: &'r MySqlRow, index: usize) -> String
where
    usize: ColumnIndex<MySqlRow>,
{
    match row.try_get::<T, _>(index) {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("{error}"),
    }
}
