// What a user of go-sql-driver does; prints every answer. Arguments: port, schema.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-sql-driver/mysql"
)

var db *sql.DB

type runner interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

func fail(err error) {
	var known *mysql.MySQLError
	if errors.As(err, &known) {
		fmt.Println("error", known.Number, string(known.SQLState[:]), known.Message)
		return
	}
	log.Fatal(err)
}

func exec(on runner, text string, arguments ...any) {
	result, err := on.ExecContext(context.Background(), text, arguments...)
	if err != nil {
		fail(err)
		return
	}
	rows, _ := result.RowsAffected()
	id, _ := result.LastInsertId()
	fmt.Println("ok", rows, id)
}

func query(on runner, text string, arguments ...any) {
	rows, err := on.QueryContext(context.Background(), text, arguments...)
	if err != nil {
		fail(err)
		return
	}
	defer rows.Close()
	types, _ := rows.ColumnTypes()
	for _, column := range types {
		nullable, _ := column.Nullable()
		fmt.Print(column.Name(), " ", column.DatabaseTypeName(), " ", nullable, ", ")
	}
	fmt.Println()
	for rows.Next() {
		values := make([]any, len(types))
		targets := make([]any, len(types))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			log.Fatal(err)
		}
		for _, value := range values {
			if raw, isRaw := value.([]byte); isRaw {
				fmt.Printf("%q ", raw)
			} else {
				fmt.Printf("%T:%v ", value, value)
			}
		}
		fmt.Println()
	}
	if err := rows.Err(); err != nil {
		fail(err)
	}
}

func main() {
	config := mysql.NewConfig()
	config.Net, config.Addr, config.DBName, config.ParseTime = "tcp", "127.0.0.1:"+os.Args[1], os.Args[2], true
	config.User = "root"
	if user := os.Getenv("CLIENT_USER"); user != "" {
		config.User = user
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		log.Fatal(err)
	}
	db = sql.OpenDB(connector)
	db.SetMaxOpenConns(2)
	exec(db, "CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, big BIGINT UNSIGNED, price DECIMAL(12,3), f DOUBLE,"+
		" name VARCHAR(30), raw_bytes VARBINARY(30), born DATE, seen DATETIME(6), took TIME(3), doc JSON)")
	insert := "INSERT INTO pets (big, price, f, name, raw_bytes, born, seen, took, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	exec(db, insert, uint64(18446744073709551615), "12.345", 1.5, "Žofie 😀", []byte{0, 255, 39},
		time.Date(2020, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2021, 3, 4, 5, 6, 7, 890000000, time.UTC), "30:00:00.005", `{"a": [1, null]}`)
	exec(db, insert, nil, nil, nil, nil, nil, nil, nil, nil, nil)
	exec(db, "INSERT INTO pets (name, f) VALUES ('a', 1), ('b', 2), ('c', 3)")
	query(db, "SELECT * FROM pets ORDER BY id")
	query(db, "SELECT * FROM pets WHERE id <= ? ORDER BY id", 2)
	query(db, "SELECT COUNT(*), SUM(f), MAX(name) FROM pets WHERE id > ?", 0)
	statement, err := db.Prepare("SELECT name FROM pets WHERE id = ?")
	if err != nil {
		log.Fatal(err)
	}
	for id := 1; id <= 5; id++ {
		var name sql.NullString
		if err := statement.QueryRow(id).Scan(&name); err != nil {
			log.Fatal(err)
		}
		fmt.Println(id, name)
	}
	statement.Close()
	transaction, err := db.Begin()
	if err != nil {
		log.Fatal(err)
	}
	exec(transaction, "DELETE FROM pets WHERE id > ?", 1)
	query(transaction, "SELECT COUNT(*) FROM pets")
	fmt.Println(transaction.Rollback())
	query(db, "SELECT COUNT(*) FROM pets")
	transaction, err = db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		log.Fatal(err)
	}
	exec(transaction, "UPDATE pets SET name = ? WHERE id IN (3, 4)", "z")
	fmt.Println(transaction.Commit())
	query(db, "SELECT id, name FROM pets ORDER BY name DESC, id LIMIT 2")
	exec(db, "INSERT INTO pets (id) VALUES (?)", 1)
	query(db, "SELECT nope FROM pets WHERE id = ?", 1)
	exec(db, "SELEC 1")
	query(db, "SELECT * FROM nothing")
	fmt.Println(db.Ping())
	fmt.Println("done")
}
