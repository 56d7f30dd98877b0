//! Every column type, bound and read as the Rust type that sqlx has for it.
use crate::Done;
use crate::show::{affected, query};
use sqlx::mysql::MySqlPool;
use sqlx::mysql::types::{MySqlTime, MySqlTimeSign};
use sqlx::types::chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use sqlx::types::{Decimal, Json, JsonValue};

#[derive(sqlx::Type, Debug, Clone)]
#[sqlx(rename_all = "lowercase")]
enum Size {
    Small,
    Big,
}

#[derive(sqlx::FromRow, Debug)]
#[allow(dead_code)]
struct Typed {
    id: i32,
    t1: Option<i8>,
    tu: Option<u8>,
    flag: Option<bool>,
    s1: Option<i16>,
    su: Option<u16>,
    i1: Option<i32>,
    iu: Option<u32>,
    b1: Option<i64>,
    bu: Option<u64>,
    f: Option<f32>,
    d: Option<f64>,
    n: Option<Decimal>,
    v: Option<String>,
    vb: Option<Vec<u8>>,
    da: Option<NaiveDate>,
    dt6: Option<NaiveDateTime>,
    ts3: Option<DateTime<Utc>>,
    ti: Option<MySqlTime>,
    ti6: Option<MySqlTime>,
    e: Option<Size>,
    js: Option<Json<JsonValue>>,
}

const INSERT: &str = "INSERT INTO every_type (id, t1, tu, flag, s1, su, m1, mu, i1, iu, b1, bu, zf, f, d, n, bits, \
    c, v, tt, tx, mt, lt, bi, vb, tb, bl, mb, lb, da, dt, dt6, ts, ts3, ti, ti6, y, e, se, js, ge) VALUES \
    (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
    ?, ST_GeomFromText(?))";

pub async fn every_type(pool: &MySqlPool) -> Done {
    let day = NaiveDate::from_ymd_opt(2020, 2, 29).unwrap();
    let moment = day.and_time(NaiveTime::from_hms_micro_opt(23, 59, 58, 123_456).unwrap());
    full(pool, 1, i64::MIN, u64::MAX, day, moment).await?;
    full(pool, 2, i64::MAX, 0, NaiveDate::from_ymd_opt(1000, 1, 1).unwrap(), day.and_time(NaiveTime::MIN)).await?;
    affected(pool, "INSERT INTO every_type (id) VALUES (3)").await?;
    let mut nulls = sqlx::query(INSERT).bind(4);
    for _ in 0..40 {
        nulls = nulls.bind(None::<String>);
    }
    println!("{}", nulls.execute(pool).await?.rows_affected());
    query(pool, "SELECT * FROM every_type ORDER BY id").await?;
    let typed: Vec<Typed> = sqlx::query_as("SELECT * FROM every_type ORDER BY id").fetch_all(pool).await?;
    for row in typed {
        println!("{row:?}");
    }
    searched(pool, day, moment).await?;
    affected(pool, "UPDATE every_type SET i1 = id, js = JSON_SET(js, '$.k', id), da = da + INTERVAL 1 DAY WHERE id <= 3").await?;
    query(pool, "SELECT id, i1, js, da, js->'$.k', bits + 0, e + 0, ST_AsText(ge) FROM every_type ORDER BY id").await
}

async fn full(pool: &MySqlPool, id: i32, least: i64, most: u64, day: NaiveDate, moment: NaiveDateTime) -> Done {
    let back = MySqlTime::new(MySqlTimeSign::Negative, 837, 59, 59, 5).unwrap();
    let done = sqlx::query(INSERT)
        .bind(id)
        .bind(i8::MIN)
        .bind(u8::MAX)
        .bind(true)
        .bind(i16::MIN)
        .bind(u16::MAX)
        .bind(-8_388_608)
        .bind(16_777_215)
        .bind(i32::MIN)
        .bind(u32::MAX)
        .bind(least)
        .bind(most)
        .bind(42)
        .bind(1.25f32)
        .bind(-1.0e300)
        .bind(Decimal::new(-123_456_789_012_345, 5))
        .bind(0b1010_0000_0001_u64)
        .bind("padded  ")
        .bind("Žofie 😀")
        .bind("tiny")
        .bind("t".repeat(300))
        .bind("medium")
        .bind("")
        .bind(&[0u8, 255][..])
        .bind(vec![0u8, 39, 92, 255])
        .bind(&b"tiny"[..])
        .bind(vec![7u8; 300])
        .bind(&b""[..])
        .bind(&b"\0\x01"[..])
        .bind(day)
        .bind(moment)
        .bind(moment)
        .bind(moment.and_utc())
        .bind(moment.and_utc())
        .bind(NaiveTime::from_hms_opt(23, 0, 1).unwrap())
        .bind(back)
        .bind(2024)
        .bind(if id == 1 { Size::Small } else { Size::Big })
        .bind("a,c")
        .bind(Json(vec![Some(1), None]))
        .bind("POINT(1.5 -2)")
        .execute(pool)
        .await?;
    println!("{} {}", done.rows_affected(), done.last_insert_id());
    Ok(())
}

/// Finds rows by values of each kind.
async fn searched(pool: &MySqlPool, day: NaiveDate, moment: NaiveDateTime) -> Done {
    macro_rules! search {
        ($condition:literal, $value:expr) => {{
            let text = concat!("SELECT id FROM every_type WHERE ", $condition, " ORDER BY id");
            let ids: Vec<i32> = sqlx::query_scalar(text).bind($value).fetch_all(pool).await?;
            println!("{} {ids:?}", $condition);
        }};
    }
    search!("id = ?", 2u64);
    search!("id = ?", "2");
    search!("b1 = ?", i64::MAX);
    search!("bu = ?", u64::MAX);
    search!("flag = ?", true);
    search!("f = ?", 1.25f32);
    search!("d < ?", -1.0e299);
    search!("n = ?", Decimal::new(-123_456_789_012_345, 5));
    search!("v = ?", "žofie 😀");
    search!("vb = ?", vec![0u8, 39, 92, 255]);
    search!("da = ?", day);
    search!("dt6 = ?", moment);
    search!("ts3 >= ?", moment.and_utc());
    search!("ti6 < ?", MySqlTime::ZERO);
    search!("e = ?", Size::Big);
    search!("js = CAST(? AS JSON)", Json(vec![Some(1), None]));
    search!("t1 <=> ?", None::<i8>);
    Ok(())
}
