//! The tables.
use bigdecimal::BigDecimal;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use diesel::prelude::*;
use serde_json::Value;

diesel::table! {
    pets (id) {
        id -> BigInt,
        owner_id -> Nullable<Integer>,
        name -> Nullable<Text>,
        tiny -> Nullable<TinyInt>,
        small -> Nullable<Unsigned<SmallInt>>,
        whole -> Nullable<Integer>,
        big -> Nullable<Unsigned<BigInt>>,
        f -> Nullable<Float>,
        d -> Nullable<Double>,
        price -> Nullable<Numeric>,
        alive -> Nullable<Bool>,
        raw -> Nullable<Binary>,
        tale -> Nullable<Text>,
        photo -> Nullable<Blob>,
        born -> Nullable<Date>,
        seen -> Nullable<Datetime>,
        at -> Nullable<Timestamp>,
        nap -> Nullable<Time>,
        doc -> Nullable<Json>,
        bits -> Nullable<Bit>,
    }
}

diesel::table! {
    owners (id) {
        id -> Integer,
        name -> Text,
        kind -> Text,
        note -> Nullable<Text>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(pets, owners);

#[derive(Queryable, Selectable, Debug)]
#[diesel(table_name = pets, check_for_backend(diesel::mysql::Mysql))]
#[allow(dead_code)]
pub struct Pet {
    id: i64,
    owner_id: Option<i32>,
    name: Option<String>,
    tiny: Option<i8>,
    small: Option<u16>,
    whole: Option<i32>,
    big: Option<u64>,
    f: Option<f32>,
    d: Option<f64>,
    price: Option<BigDecimal>,
    alive: Option<bool>,
    raw: Option<Vec<u8>>,
    tale: Option<String>,
    photo: Option<Vec<u8>>,
    born: Option<NaiveDate>,
    seen: Option<NaiveDateTime>,
    at: Option<NaiveDateTime>,
    nap: Option<NaiveTime>,
    doc: Option<Value>,
}

impl Pet {
    pub fn size(&self) -> usize {
        self.raw.as_ref().map_or(0, Vec::len) + self.photo.as_ref().map_or(0, Vec::len) + self.name.as_ref().map_or(0, String::len)
    }
}

#[derive(Insertable, AsChangeset, Default, Clone)]
#[diesel(table_name = pets)]
pub struct NewPet<'a> {
    pub owner_id: Option<i32>,
    pub name: Option<&'a str>,
    pub tiny: Option<i8>,
    pub small: Option<u16>,
    pub whole: Option<i32>,
    pub big: Option<u64>,
    pub f: Option<f32>,
    pub d: Option<f64>,
    pub price: Option<BigDecimal>,
    pub alive: Option<bool>,
    pub raw: Option<Vec<u8>>,
    pub tale: Option<String>,
    pub photo: Option<Vec<u8>>,
    pub born: Option<NaiveDate>,
    pub seen: Option<NaiveDateTime>,
    pub at: Option<NaiveDateTime>,
    pub nap: Option<NaiveTime>,
    pub doc: Option<Value>,
}

/// A pet without NULLs.
pub fn full(owner: i32) -> NewPet<'static> {
    let day = NaiveDate::from_ymd_opt(2020, 2, 29);
    NewPet {
        owner_id: Some(owner),
        name: Some("Žofie 😀"),
        tiny: Some(i8::MIN),
        small: Some(u16::MAX),
        whole: Some(i32::MIN),
        big: Some(u64::MAX),
        f: Some(1.25),
        d: Some(1.0e300),
        price: "-123456789012345.54321".parse().ok(),
        alive: Some(true),
        raw: Some(vec![0, 39, 92, 255]),
        tale: Some("t".repeat(70)),
        photo: Some(vec![7; 300]),
        born: day,
        seen: day.and_then(|day| day.and_hms_micro_opt(23, 59, 58, 123_456)),
        at: day.and_then(|day| day.and_hms_opt(1, 2, 3)),
        nap: NaiveTime::from_hms_opt(23, 0, 1),
        doc: Some(serde_json::json!({"a": [1, null], "ž": 1.5})),
    }
}
