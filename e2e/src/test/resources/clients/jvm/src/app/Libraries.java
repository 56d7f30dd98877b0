package app;

import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;

/** MyBatis, jOOQ, MariaDB Connector/J, and the metadata of Connector/J. */
final class Libraries {
  public interface M {
    @org.apache.ibatis.annotations.Insert("insert into mb(name,n) values(#{name},#{n})")
    @org.apache.ibatis.annotations.Options(useGeneratedKeys = true, keyProperty = "id")
    int add(Map<String, Object> m);

    @org.apache.ibatis.annotations.Select("select * from mb where n > #{n} order by id")
    List<Map<String, Object>> over(int n);

    @org.apache.ibatis.annotations.Update("update mb set n=n+1")
    int up();
  }

  static void run(String p, String sch, String url) {
    myBatis(url);
    jooq(url);
    mariaDb(p, sch);
    metadata(sch, url);
  }

  private static void myBatis(String url) {
    Steps.step(
        "mybatis",
        () -> {
          try (Connection c = DriverManager.getConnection(url, "root", "")) {
            c.createStatement()
                .execute(
                    "create table mb(id int auto_increment primary key, name varchar(20), n int)");
          }
          var ds =
              new org.apache.ibatis.datasource.pooled.PooledDataSource(
                  "com.mysql.cj.jdbc.Driver", url, "root", "");
          var cfg =
              new org.apache.ibatis.session.Configuration(
                  new org.apache.ibatis.mapping.Environment(
                      "e", new org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory(), ds));
          cfg.addMapper(M.class);
          var sf = new org.apache.ibatis.session.SqlSessionFactoryBuilder().build(cfg);
          try (var s = sf.openSession()) {
            M m = s.getMapper(M.class);
            Map<String, Object> r = null;
            for (int i = 0; i < 5; i++) {
              r = new HashMap<>(Map.of("name", "x" + i, "n", i));
              m.add(r);
            }
            int u = m.up();
            s.commit();
            return r.get("id") + " " + u + " " + new TreeMap<>(m.over(3).get(0));
          }
        });
  }

  private static void jooq(String url) {
    Steps.step(
        "jooq",
        () -> {
          try (Connection c = DriverManager.getConnection(url, "root", "")) {
            var q = org.jooq.impl.DSL.using(c, org.jooq.SQLDialect.MYSQL);
            q.createTable("jq")
                .column("id", org.jooq.impl.SQLDataType.INTEGER.nullable(false).identity(true))
                .column("v", org.jooq.impl.SQLDataType.VARCHAR(20))
                .constraints(org.jooq.impl.DSL.primaryKey("id"))
                .execute();
            var t = org.jooq.impl.DSL.table("jq");
            var v = org.jooq.impl.DSL.field("v", String.class);
            for (int i = 0; i < 5; i++) q.insertInto(t, v).values("v" + i).execute();
            String r =
                q.select(v, org.jooq.impl.DSL.rowNumber().over().orderBy(v.desc()))
                    .from(t)
                    .orderBy(v)
                    .fetch()
                    .formatCSV();
            int up =
                q.transactionResult(
                    cf ->
                        cf.dsl()
                            .update(t)
                            .set(v, org.jooq.impl.DSL.concat(v, "!"))
                            .where(v.like("v1%"))
                            .execute());
            int metas = q.meta().getTables("jq").size();
            var ml = q.meta().getTables("jq").get(0).fields().length;
            return r.replace("\r\n", ";") + up + metas + ml;
          }
        });
  }

  private static void mariaDb(String p, String sch) {
    Steps.step(
        "mariadb",
        () -> {
          try (Connection c =
              DriverManager.getConnection(
                  "jdbc:mariadb://127.0.0.1:"
                      + p
                      + "/"
                      + sch
                      + "?user=root&useServerPrepStmts=true")) {
            DatabaseMetaData d = c.getMetaData();
            StringBuilder b = new StringBuilder(d.getDatabaseProductName()).append(' ');
            c.createStatement()
                .execute(
                    "create table md(id int auto_increment primary key, t varchar(30) unique, d"
                        + " decimal(10,3), ts datetime(6), bl blob, j json, bt bit(5), y year, tm"
                        + " time(3))");
            insertRows(c, b);
            readRows(c, b);
            for (String m : List.of("cols", "pk", "idx")) {
              ResultSet r =
                  m.equals("cols")
                      ? d.getColumns(sch, null, "md", null)
                      : m.equals("pk")
                          ? d.getPrimaryKeys(sch, null, "md")
                          : d.getIndexInfo(sch, null, "md", false, false);
              while (r.next()) b.append(r.getString("COLUMN_NAME")).append(',');
            }
            try {
              c.createStatement().execute("insert into md(t) values('é😀1')");
            } catch (SQLException e) {
              b.append(e.getErrorCode()).append(e.getSQLState());
            }
            c.createStatement().execute("drop table md");
            return b;
          }
        });
  }

  private static void metadata(String sch, String url) {
    Steps.step(
        "cj meta",
        () -> {
          try (Connection c = DriverManager.getConnection(url, "root", "")) {
            c.createStatement()
                .execute(
                    "create table cm(id int primary key, p int, u varchar(10) unique comment 'c',"
                        + " key kk(p,u))");
            c.createStatement()
                .execute(
                    "create table cn(id int primary key, f int, constraint ff foreign key(f)"
                        + " references cm(id) on delete set null)");
            DatabaseMetaData d = c.getMetaData();
            StringBuilder b = new StringBuilder();
            for (String m :
                List.of(
                    "tables", "cols", "pk", "idx", "imp", "exp", "cross", "best", "types",
                    "priv")) {
              ResultSet r =
                  switch (m) {
                    case "tables" -> d.getTables(sch, null, "c%", null);
                    case "cols" -> d.getColumns(sch, null, "cm", null);
                    case "pk" -> d.getPrimaryKeys(sch, null, "cm");
                    case "idx" -> d.getIndexInfo(sch, null, "cm", false, false);
                    case "imp" -> d.getImportedKeys(sch, null, "cn");
                    case "exp" -> d.getExportedKeys(sch, null, "cm");
                    case "cross" -> d.getCrossReference(sch, null, "cm", sch, null, "cn");
                    case "best" -> d.getBestRowIdentifier(sch, null, "cm", 0, true);
                    case "types" -> d.getTypeInfo();
                    default -> d.getTablePrivileges(sch, null, "cm");
                  };
              b.append("\n  ").append(m);
              while (r.next()) {
                b.append(" [");
                for (int i = 1; i <= r.getMetaData().getColumnCount(); i++)
                  if (!r.getMetaData().getColumnLabel(i).equals("CARDINALITY"))
                    b.append(r.getString(i)).append('|');
                b.append(']');
              }
            }
            c.createStatement().execute("drop table cn,cm");
            return b;
          }
        });
  }

  private static void insertRows(Connection c, StringBuilder b) throws SQLException {
    try (PreparedStatement s =
        c.prepareStatement(
            "insert into md(t,d,ts,bl,j,bt,y,tm) values(?,?,?,?,?,?,?,?)",
            Statement.RETURN_GENERATED_KEYS)) {
      for (int i = 0; i < 50; i++) {
        s.setString(1, "é😀" + i);
        s.setBigDecimal(2, new BigDecimal(i + ".125"));
        s.setObject(3, LocalDateTime.of(2024, 1, 2, 3, 4, 5, 678901000));
        s.setBytes(4, new byte[] {1, 0, (byte) i});
        s.setString(5, "{\"a\":" + i + "}");
        s.setInt(6, i % 32);
        s.setInt(7, 2000 + i);
        s.setObject(8, LocalTime.of(1, 2, 3, 456000000));
        s.addBatch();
      }
      b.append(s.executeBatch().length).append(' ');
      ResultSet k = s.getGeneratedKeys();
      int n = 0;
      while (k.next()) n++;
      b.append(n).append(' ');
    }
  }

  private static void readRows(Connection c, StringBuilder b) throws SQLException {
    try (PreparedStatement s =
        c.prepareStatement("select * from md where id in (?,?) order by t")) {
      s.setInt(1, 3);
      s.setInt(2, 7);
      ResultSet r = s.executeQuery();
      while (r.next())
        for (int i = 2; i <= r.getMetaData().getColumnCount(); i++)
          b.append(r.getMetaData().getColumnTypeName(i))
              .append('=')
              .append(i == 5 ? r.getBytes(i).length : r.getString(i))
              .append(' ');
    }
  }
}
