// GORM: its migrations, associations and queries. Usage: client PORT SCHEMA [prepared]
package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

type Company struct {
	ID   uint
	Name string `gorm:"size:50;uniqueIndex"`
}
type User struct {
	gorm.Model
	Name      string  `gorm:"size:80;index:ix_name_age"`
	Age       int     `gorm:"index:ix_name_age"`
	Email     *string `gorm:"size:100;unique"`
	Born      time.Time
	Score     float64
	Price     string `gorm:"type:decimal(12,4);default:0"`
	Raw       []byte
	CompanyID *uint
	Company   *Company
	Posts     []Post
	Langs     []Lang `gorm:"many2many:user_langs"`
}
type Post struct {
	ID     uint64
	UserID uint
	Title  string `gorm:"size:100"`
	N      int    `gorm:"check:n >= 0"`
}
type Lang struct {
	Code string `gorm:"primaryKey;size:10"`
	Name string
}

func step(name string, f func() (any, error)) {
	r, err := f()
	if err != nil {
		fmt.Println(name, "!!", err)
	} else {
		fmt.Println(name, "->", r)
	}
}

func main() {
	user := os.Getenv("CLIENT_USER")
	if user == "" {
		user = "root"
	}
	dsn := fmt.Sprintf("%s@tcp(127.0.0.1:%s)/%s?charset=utf8mb4&parseTime=True&loc=UTC", user, os.Args[1], url.PathEscape(os.Args[2]))
	db, err := gorm.Open(mysql.Open(dsn), &gorm.Config{Logger: logger.Discard, PrepareStmt: len(os.Args) > 3, TranslateError: false})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	at := time.Date(2024, 1, 2, 3, 4, 5, 678000000, time.UTC)
	step("migrate", func() (any, error) { return nil, db.AutoMigrate(&Company{}, &Lang{}, &User{}, &Post{}) })
	step("migrate again", func() (any, error) { return nil, db.AutoMigrate(&Company{}, &Lang{}, &User{}, &Post{}) })
	step("create", func() (any, error) {
		langs := []Lang{{"en", "English"}, {"de", "Deutsch"}}
		if err := db.Create(&langs).Error; err != nil {
			return nil, err
		}
		for i := 0; i < 10; i++ {
			e := fmt.Sprintf("u%d@x", i)
			u := User{Name: fmt.Sprintf("n%d é😀", i), Age: i, Email: &e, Born: at, Score: float64(i) / 3, Price: "1.5", Raw: []byte{0, 255}, Company: &Company{Name: fmt.Sprintf("c%d", i)}, Posts: []Post{{Title: "a", N: i}, {Title: "b", N: i}}, Langs: langs[:i%3]}
			if err := db.Create(&u).Error; err != nil {
				return nil, err
			}
		}
		var n int64
		err := db.Model(&User{}).Count(&n).Error
		return n, err
	})
	step("first", func() (any, error) {
		var u User
		err := db.Preload("Posts").Preload("Langs").Preload("Company").First(&u, 3).Error
		return fmt.Sprint(u.Name, u.Age, *u.Email, u.Born, u.Score, u.Price, u.Raw, u.Company, u.Posts, u.Langs), err
	})
	step("joins", func() (any, error) {
		var us []User
		err := db.Joins("Company").Where("age > ?", 6).Order("users.id").Find(&us).Error
		s := ""
		for _, u := range us {
			s += u.Name + u.Company.Name + " "
		}
		return s, err
	})
	step("group", func() (any, error) {
		var r []struct {
			Title string
			S     int
		}
		err := db.Model(&Post{}).Select("title, sum(n) as s").Group("title").Having("sum(n) > ?", 1).Order("title").Scan(&r).Error
		return r, err
	})
	step("update", func() (any, error) {
		r := db.Model(&User{}).Where("age < ?", 4).Updates(map[string]any{"score": gorm.Expr("score + ?", 1), "age": gorm.Expr("age * 2")})
		return r.RowsAffected, r.Error
	})
	step("save", func() (any, error) {
		var u User
		db.First(&u, 5)
		u.Name = "saved"
		r := db.Save(&u)
		return r.RowsAffected, r.Error
	})
	step("upsert", func() (any, error) {
		r := db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "code"}}, DoUpdates: clause.AssignmentColumns([]string{"name"})}).Create(&[]Lang{{"en", "EN"}, {"fr", "FR"}})
		return r.RowsAffected, r.Error
	})
	step("ignore", func() (any, error) {
		r := db.Clauses(clause.OnConflict{DoNothing: true}).Create(&Lang{"en", "x"})
		return r.RowsAffected, r.Error
	})
	step("batch", func() (any, error) {
		var ps []Post
		for i := 0; i < 300; i++ {
			ps = append(ps, Post{UserID: uint(i%10 + 1), Title: "batch", N: i})
		}
		r := db.CreateInBatches(ps, 100)
		return r.RowsAffected, r.Error
	})
	step("dup", func() (any, error) { return nil, db.Create(&Company{Name: "c1"}).Error })
	step("fk", func() (any, error) { return nil, db.Create(&Post{UserID: 999}).Error })
	step("check", func() (any, error) { return nil, db.Create(&Post{UserID: 1, N: -1}).Error })
	step("tx", func() (any, error) {
		err := db.Transaction(func(tx *gorm.DB) error {
			tx.Create(&Company{Name: "tx"})
			tx.Transaction(func(in *gorm.DB) error { in.Create(&Company{Name: "inner"}); return errors.New("x") })
			var c []Company
			tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("name like ?", "tx%").Find(&c)
			if len(c) != 1 {
				return errors.New("lost")
			}
			return nil
		})
		var n int64
		db.Model(&Company{}).Where("name in ?", []string{"tx", "inner"}).Count(&n)
		return n, err
	})
	step("soft", func() (any, error) {
		r := db.Delete(&User{}, 7)
		var a, b int64
		db.Model(&User{}).Count(&a)
		db.Unscoped().Model(&User{}).Count(&b)
		return fmt.Sprint(r.RowsAffected, a, b), r.Error
	})
	step("assoc", func() (any, error) {
		var u User
		db.First(&u, 2)
		err := db.Model(&u).Association("Langs").Replace([]Lang{{Code: "fr"}})
		return db.Model(&u).Association("Langs").Count(), err
	})
	step("rows", func() (any, error) {
		rows, err := db.Model(&Post{}).Order("id").Rows()
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		return n, rows.Err()
	})
	step("batches", func() (any, error) {
		var ps []Post
		n := 0
		r := db.FindInBatches(&ps, 50, func(tx *gorm.DB, batch int) error { n += len(ps); return nil })
		return n, r.Error
	})
	step("sub", func() (any, error) {
		var n int64
		err := db.Model(&User{}).Where("id in (?)", db.Model(&Post{}).Select("user_id").Where("n > ?", 290)).Count(&n).Error
		return n, err
	})
	m := db.Migrator()
	step("tables", func() (any, error) { return m.GetTables() })
	step("columns", func() (any, error) {
		cs, err := m.ColumnTypes(&User{})
		s := ""
		for _, c := range cs {
			n, _ := c.Nullable()
			d, ok := c.DefaultValue()
			u, _ := c.Unique()
			t, _ := c.ColumnType()
			s += fmt.Sprintln(c.Name(), c.DatabaseTypeName(), t, n, d, ok, u)
		}
		return s, err
	})
	step("has", func() (any, error) {
		return fmt.Sprint(m.HasTable("users"), m.HasIndex(&User{}, "ix_name_age"), m.HasConstraint(&User{}, "Posts"), m.HasColumn(&User{}, "nope")), nil
	})
	type Post2 struct {
		Extra string `gorm:"size:20;default:'e'"`
	}
	step("alter", func() (any, error) {
		p := db.Table("posts").Migrator()
		if err := p.AddColumn(&Post2{}, "Extra"); err != nil {
			return nil, err
		}
		if err := db.Exec("UPDATE posts SET extra = 'z' WHERE n > 100").Error; err != nil {
			return nil, err
		}
		if err := p.RenameColumn(&Post2{}, "extra", "extra2"); err != nil {
			return nil, err
		}
		return nil, p.DropColumn(&Post2{}, "extra2")
	})
	step("drop", func() (any, error) { return nil, m.DropTable("user_langs", &Post{}, &User{}, &Company{}, &Lang{}) })
	fmt.Println("done")
}
