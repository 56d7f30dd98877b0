//! What a user of Diesel does, by way of libmysqlclient; prints every answer. Arguments: port, schema, "keyless"
//! for no foreign keys.
mod pets;

use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, exists, max, not, sum};
use diesel::migration::{Migration, MigrationSource};
use diesel::mysql::{Mysql, MysqlConnection};
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use pets::{NewPet, Pet, full, owners, pets as table};
use std::fmt::Debug;

type Done = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().collect();
    let url = format!("mysql://root@127.0.0.1:{}/{}", arguments[1], arguments[2]);
    let connection = &mut MysqlConnection::establish(&url)?;
    migrations(connection)?;
    crud(connection)?;
    queries(connection)?;
    transactions(connection)?;
    bulk(connection)?;
    errors(connection);
    if arguments.len() == 3 {
        foreign_keys(connection);
    }
    locks(connection, &url)?;
    println!("done");
    Ok(())
}

fn show<T: Debug>(name: &str, outcome: Result<T, Error>) {
    match outcome {
        Ok(value) => println!("{name} {value:?}"),
        Err(Error::DatabaseError(kind, information)) => println!("{name} {kind:?} {}", information.message()),
        Err(error) => println!("{name} {error}"),
    }
}

fn migrations(on: &mut MysqlConnection) -> Done {
    let source = FileBasedMigrations::from_path("migrations")?;
    let known: Vec<Box<dyn Migration<Mysql>>> = source.migrations()?;
    println!("{} known", known.len());
    println!("{:?}", on.run_pending_migrations(source.clone())?);
    println!("{:?}", on.run_pending_migrations(source.clone())?);
    println!("{:?}", on.revert_last_migration(source.clone())?.to_string());
    println!("{:?} {}", on.applied_migrations()?, on.has_pending_migration(source.clone())?);
    println!("{:?}", on.run_pending_migrations(source)?);
    Ok(())
}

fn crud(on: &mut MysqlConnection) -> Done {
    println!("{}", diesel::insert_into(table::table).values(full(1)).execute(on)?);
    println!("{}", diesel::insert_into(table::table).default_values().execute(on)?);
    let several = vec![NewPet { name: Some("a"), ..full(1) }, NewPet { name: Some("b"), owner_id: None, ..NewPet::default() }];
    println!("{}", diesel::insert_into(table::table).values(&several).execute(on)?);
    diesel::define_sql_function! { fn last_insert_id() -> BigInt; }
    println!("{}", diesel::select(last_insert_id()).get_result::<i64>(on)?);
    for pet in table::table.order(table::id).select(Pet::as_select()).load(on)? {
        println!("{pet:?}");
    }
    println!("{:?}", table::table.find(2).select(Pet::as_select()).first(on).optional()?);
    println!("{:?}", table::table.find(77).select(Pet::as_select()).first(on).optional()?);
    let changed = diesel::update(table::table.filter(table::d.gt(0.5)))
        .set((table::d.eq(table::d * 2.0), table::price.eq(None::<bigdecimal::BigDecimal>)))
        .execute(on)?;
    println!("{changed}");
    println!("{}", diesel::update(table::table.find(1)).set(NewPet { whole: Some(5), ..NewPet::default() }).execute(on)?);
    println!("{}", diesel::delete(table::table.filter(table::name.eq("b"))).execute(on)?);
    println!("{}", diesel::replace_into(owners::table).values((owners::id.eq(2), owners::name.eq("Rob"))).execute(on)?);
    println!(
        "{}",
        diesel::insert_into(owners::table)
            .values((owners::id.eq(2), owners::name.eq("x")))
            .on_conflict(diesel::dsl::DuplicatedKeys)
            .do_update()
            .set(owners::name.eq("Bobby"))
            .execute(on)?
    );
    println!("{}", diesel::insert_or_ignore_into(owners::table).values((owners::id.eq(2), owners::name.eq("y"))).execute(on)?);
    println!("{:?}", owners::table.order(owners::id).load::<(i32, String, String, Option<String>)>(on)?);
    Ok(())
}

#[derive(QueryableByName, Debug)]
#[allow(dead_code)]
struct Named {
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = BigInt)]
    n: i64,
}

fn queries(on: &mut MysqlConnection) -> Done {
    use table::{alive, big, bits, born, doc, name, nap, owner_id, price, raw, seen, whole};
    let joined = owners::table
        .left_join(table::table.on(owner_id.eq(owners::id.nullable())))
        .select((owners::name, name.nullable()))
        .order((owners::id, table::id))
        .load::<(String, Option<String>)>(on)?;
    println!("{joined:?}");
    let grouped = table::table
        .group_by(alive)
        .select((alive, count_star(), sum(whole), max(big)))
        .order(alive)
        .load::<(Option<bool>, i64, Option<i64>, Option<u64>)>(on)?;
    println!("{grouped:?}");
    println!("{:?}", table::table.filter(name.like("%e%").or(name.is_null())).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.filter(table::id.eq_any([1i64, 2, 3, 99])).select(table::id).order(table::id).load::<i64>(on)?);
    println!("{:?}", diesel::select(exists(table::table.filter(not(big.eq(0u64))))).get_result::<bool>(on)?);
    let first = full(1);
    println!("{:?}", table::table.filter(born.eq(first.born)).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.filter(seen.ge(first.seen)).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.filter(nap.eq(first.nap)).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.filter(raw.eq(first.raw)).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.filter(price.gt(bigdecimal::BigDecimal::from(0))).count().get_result::<i64>(on)?);
    println!("{:?}", table::table.select((doc, bits)).order(table::id).load::<(Option<serde_json::Value>, Option<Vec<u8>>)>(on)?);
    let by_name = diesel::sql_query(
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < ?) \
         SELECT p.name, COUNT(*) AS n FROM pets p JOIN r ON r.n <= p.id WHERE p.id < ? GROUP BY p.id, p.name ORDER BY p.id",
    )
    .bind::<BigInt, _>(3)
    .bind::<BigInt, _>(100)
    .load::<Named>(on)?;
    println!("{by_name:?}");
    Ok(())
}

fn transactions(on: &mut MysqlConnection) -> Done {
    let add = |on: &mut MysqlConnection| diesel::insert_into(table::table).values(NewPet::default()).execute(on);
    let count = |on: &mut MysqlConnection| table::table.count().get_result::<i64>(on);
    let undone: Result<(), Error> = on.transaction(|on| {
        add(on)?;
        println!("inside {}", count(on)?);
        Err(Error::RollbackTransaction)
    });
    show("undone", undone);
    let nested = on.transaction(|on| {
        add(on)?;
        let inner: Result<(), Error> = on.transaction(|on| {
            diesel::delete(table::table).execute(on)?;
            println!("nested {}", count(on)?);
            Err(Error::RollbackTransaction)
        });
        show("inner", inner);
        let broken: Result<usize, Error> = on.transaction(|on| {
            diesel::insert_into(owners::table).values((owners::id.eq(1), owners::name.eq("again"))).execute(on)
        });
        show("broken", broken);
        count(on)
    });
    show("nested", nested);
    on.test_transaction::<_, Error, _>(|on| {
        println!("{}", diesel::delete(table::table).execute(on)?);
        Ok(())
    });
    Ok(())
}

fn bulk(on: &mut MysqlConnection) -> Done {
    on.batch_execute("DELETE FROM pets; SET @a = 1; INSERT INTO pets (id, name) VALUES (5000, 'last')")?;
    let names: Vec<String> = (0..1500).map(|i| format!("Nº {i}")).collect();
    for chunk in names.chunks(500) {
        let rows: Vec<NewPet> = chunk.iter().map(|name| NewPet { name: Some(name), ..full(2) }).collect();
        println!("{}", diesel::insert_into(table::table).values(rows).execute(on)?);
    }
    let (mut seen, mut bytes) = (0, 0);
    for pet in table::table.order(table::id).select(Pet::as_select()).load_iter(on)? {
        let pet: Pet = pet?;
        seen += 1;
        bytes += pet.size();
    }
    println!("{seen} {bytes}");
    println!("{}", diesel::delete(table::table.filter(table::whole.is_not_null())).execute(on)?);
    Ok(())
}

fn errors(on: &mut MysqlConnection) {
    diesel::define_sql_function! { fn no_function() -> BigInt; }
    // Diesel tells a cached statement's last error again: each of these has a text of its own
    let taken = (owners::id.eq(1), owners::name.eq("x"), owners::kind.eq("shop"));
    show("key", diesel::insert_into(owners::table).values(taken).execute(on));
    show("null", diesel::insert_into(owners::table).values(owners::id.eq(7)).execute(on));
    show("long", diesel::update(owners::table.find(2)).set(owners::name.eq("x".repeat(31))).execute(on));
    show("enum", diesel::update(owners::table.find(2)).set(owners::kind.eq("no")).execute(on));
    show("range", diesel::sql_query("UPDATE owners SET id = id + 3000000000").execute(on));
    show("syntax", diesel::sql_query("SELEC 1").execute(on));
    show("column", diesel::sql_query("SELECT nope FROM owners").execute(on));
    show("table", diesel::sql_query("SELECT 1 FROM nothing").execute(on));
    show("function", diesel::select(no_function()).get_result::<i64>(on));
    show("many", diesel::sql_query("SELECT (SELECT id FROM owners)").execute(on));
    show("batch", on.batch_execute("SELECT 1; SELECT nope; SELECT 2"));
    show("after", owners::table.count().get_result::<i64>(on));
    show("not found", owners::table.find(99).select(owners::name).first::<String>(on));
}

fn foreign_keys(on: &mut MysqlConnection) {
    show("constraint", diesel::sql_query("ALTER TABLE pets ADD CONSTRAINT owned FOREIGN KEY (owner_id) REFERENCES owners (id)").execute(on));
    show("no parent", diesel::insert_into(table::table).values(NewPet { owner_id: Some(99), ..NewPet::default() }).execute(on));
    show("child", diesel::insert_into(table::table).values(NewPet { owner_id: Some(1), ..NewPet::default() }).execute(on));
    show("children", diesel::delete(owners::table.find(1)).execute(on));
}

fn locks(on: &mut MysqlConnection, url: &str) -> Done {
    let other = &mut MysqlConnection::establish(url)?;
    other.batch_execute("SET SESSION innodb_lock_wait_timeout = 1")?;
    on.transaction::<_, Error, _>(|on| {
        show("held", owners::table.find(1).select(owners::name).for_update().first::<String>(on));
        show("no wait", owners::table.find(1).select(owners::name).for_update().no_wait().first::<String>(other));
        show("skipped", owners::table.find(1).select(owners::name).for_update().skip_locked().load::<String>(other));
        show("waits", diesel::update(owners::table.find(1)).set(owners::name.eq("z")).execute(other));
        Ok(())
    })?;
    show("free", diesel::update(owners::table.find(1)).set(owners::name.eq("z")).execute(other));
    Ok(())
}
