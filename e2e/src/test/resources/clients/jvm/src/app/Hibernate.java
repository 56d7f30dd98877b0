package app;

import app.Model.*;
import jakarta.persistence.LockModeType;
import jakarta.persistence.OptimisticLockException;
import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate: schema, associations, HQL, locks, versions. */
final class Hibernate {
  static Configuration conf(String url, String auto) {
    Configuration c =
        new Configuration()
            .setProperty("hibernate.connection.url", url)
            .setProperty("hibernate.connection.username", "root")
            .setProperty("hibernate.connection.password", "")
            .setProperty("hibernate.hbm2ddl.auto", auto)
            .setProperty("hibernate.jdbc.batch_size", "20")
            .setProperty("hibernate.jdbc.time_zone", "UTC");
    for (Class<?> k : List.of(Author.class, Book.class, Genre.class, Animal.class, Dog.class))
      c.addAnnotatedClass(k);
    return c;
  }

  static void run(String url) {
    Configuration c = conf(url, "create");
    try (SessionFactory f = c.buildSessionFactory()) {
      fill(f);
      read(f);
      query(f);
      change(f);
      lock(f);
      inherit(f);
      remove(f);
    }
    for (String auto : List.of("validate", "update", "create-drop"))
      Steps.step(
          "h " + auto,
          () -> {
            try (SessionFactory f = conf(url, auto).buildSessionFactory()) {
              return "ok";
            }
          });
  }

  private static void fill(SessionFactory f) {
    Steps.step(
        "h fill",
        () ->
            f.fromTransaction(
                s -> {
                  List<Genre> gs = new ArrayList<>();
                  for (int i = 0; i < 3; i++) {
                    Genre g = new Genre();
                    g.label = "g" + i;
                    s.persist(g);
                    gs.add(g);
                  }
                  for (int i = 0; i < 12; i++) {
                    Author a = new Author();
                    a.name = "a" + i + "é😀";
                    a.born = LocalDate.of(1990, 1, 1 + i);
                    a.nick.add("n" + i);
                    a.nick.add("m");
                    a.addr = new Addr();
                    a.addr.street = "s";
                    a.addr.zip = i;
                    for (int j = 0; j < 3; j++) {
                      Book b = new Book();
                      b.title = "t" + j;
                      b.pages = i * j;
                      b.author = a;
                      b.price = new BigDecimal("1.2345").multiply(BigDecimal.valueOf(j));
                      b.at = Instant.parse("2024-01-02T03:04:05.678901Z");
                      b.kind = j == 0 ? null : Kind.A;
                      b.data = new byte[] {0, -1, (byte) i};
                      b.text = "x".repeat(j);
                      b.u = new UUID(i, j);
                      b.d = Duration.ofMillis(1500);
                      b.flag = j % 2 == 0;
                      b.x = i / 3.0;
                      b.genres.addAll(gs.subList(0, j));
                      a.books.add(b);
                    }
                    s.persist(a);
                  }
                  return s.createQuery("select count(*) from Book", Long.class).getSingleResult();
                }));
  }

  private static void read(SessionFactory f) {
    Steps.step(
        "h load",
        () ->
            f.fromTransaction(
                s -> {
                  Author a = s.find(Author.class, 3L);
                  Book b = a.books.get(1);
                  return a.name
                      + a.born
                      + a.nick
                      + a.addr.zip
                      + b.title
                      + b.price
                      + b.at
                      + b.kind
                      + Arrays.toString(b.data)
                      + b.text
                      + b.u
                      + b.d
                      + b.flag
                      + b.x
                      + b.genres.size();
                }));
    Steps.step(
        "h fetch",
        () ->
            f.fromTransaction(
                s ->
                    s
                        .createQuery(
                            "select distinct a from Author a left join fetch a.books order by"
                                + " a.id",
                            Author.class)
                        .getResultList()
                        .stream()
                        .map(a -> a.books.size())
                        .toList()));
    Steps.step(
        "h page",
        () ->
            f.fromTransaction(
                s ->
                    s.createQuery("select a.name from Author a order by a.name", String.class)
                        .setFirstResult(3)
                        .setMaxResults(2)
                        .getResultList()));
  }

  private static void query(SessionFactory f) {
    Steps.step(
        "h group",
        () ->
            f.fromTransaction(
                s ->
                    s
                        .createQuery(
                            "select b.title,count(*),sum(b.price),avg(b.pages) from Book b group"
                                + " by b.title having count(*)>1 order by b.title",
                            Object[].class)
                        .getResultList()
                        .stream()
                        .map(Arrays::toString)
                        .toList()));
    Steps.step(
        "h sub",
        () ->
            f.fromTransaction(
                s ->
                    s.createQuery(
                            "select a.id from Author a where exists(select 1 from Book b where"
                                + " b.author=a and b.pages>20) order by a.id",
                            Long.class)
                        .getResultList()));
    Steps.step(
        "h window",
        () ->
            f.fromTransaction(
                s ->
                    s
                        .createQuery(
                            "select b.id, row_number() over (partition by b.author.id order by"
                                + " b.pages desc, b.id) from Book b order by b.id",
                            Object[].class)
                        .setMaxResults(4)
                        .getResultList()
                        .stream()
                        .map(Arrays::toString)
                        .toList()));
  }

  private static void change(SessionFactory f) {
    Steps.step(
        "h cte",
        () ->
            f.fromTransaction(
                s ->
                    s
                        .createQuery(
                            "with t as (select b.author.id as aid, max(b.pages) as m from Book b"
                                + " group by b.author.id) select t.aid, t.m from t order by"
                                + " t.aid",
                            Object[].class)
                        .setMaxResults(3)
                        .getResultList()
                        .stream()
                        .map(Arrays::toString)
                        .toList()));
    Steps.step(
        "h bulk upd",
        () ->
            f.fromTransaction(
                s ->
                    s.createMutationQuery("update Book b set b.pages=b.pages+1 where b.author.id<5")
                        .executeUpdate()));
    Steps.step(
        "h bulk del",
        () ->
            f.fromTransaction(
                s ->
                    s.createMutationQuery("delete from Book b where b.pages=1 and size(b.genres)=0")
                        .executeUpdate()));
    Steps.step(
        "h ins sel",
        () ->
            f.fromTransaction(
                s ->
                    s.createMutationQuery(
                            "insert into Genre(id,label) select b.id+1000,b.title from Book b"
                                + " where b.id<4")
                        .executeUpdate()));
  }

  private static void lock(SessionFactory f) {
    Steps.step(
        "h version",
        () -> {
          Author st =
              f.fromTransaction(
                  s -> {
                    Author a = s.find(Author.class, 1L);
                    return a;
                  });
          f.inTransaction(s -> s.find(Author.class, 1L).addr.street = "new");
          return f.fromTransaction(
              s -> {
                st.addr.street = "old";
                try {
                  s.merge(st);
                  s.flush();
                  return "no";
                } catch (OptimisticLockException e) {
                  return "optimistic";
                }
              });
        });
    Steps.step(
        "h lock",
        () ->
            f.fromTransaction(
                s -> {
                  Author a = s.find(Author.class, 2L, LockModeType.PESSIMISTIC_WRITE);
                  a.books.remove(0);
                  return a.v;
                }));
    Steps.step(
        "h skip",
        () ->
            f.fromTransaction(
                s ->
                    s.createQuery("from Genre g order by g.id", Genre.class)
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .setHint("jakarta.persistence.lock.timeout", -2)
                        .getResultList()
                        .size()));
  }

  private static void inherit(SessionFactory f) {
    Steps.step(
        "h dup",
        () ->
            f.fromTransaction(
                s -> {
                  Author a = new Author();
                  a.name = "a1é😀";
                  s.persist(a);
                  s.flush();
                  return 1;
                }));
    Steps.step(
        "h dog",
        () ->
            f.fromTransaction(
                s -> {
                  Dog d = new Dog();
                  d.n = "rex";
                  d.bark = 3;
                  s.persist(d);
                  s.flush();
                  s.clear();
                  return s.createQuery("from Animal", Animal.class)
                      .getResultList()
                      .get(0)
                      .getClass()
                      .getSimpleName();
                }));
    Steps.step(
        "h native",
        () ->
            f.fromTransaction(
                s ->
                    s.createNativeQuery(
                            "select count(*) from book b join author a on a.id=b.author_id where"
                                + " a.id in (:x)",
                            Long.class)
                        .setParameter("x", List.of(1, 2, 3))
                        .getSingleResult()));
  }

  private static void remove(SessionFactory f) {
    Steps.step(
        "h scroll",
        () ->
            f.fromTransaction(
                s -> {
                  int n = 0;
                  try (ScrollableResults<Book> r =
                      s.createQuery("from Book", Book.class)
                          .setFetchSize(Integer.MIN_VALUE)
                          .scroll(ScrollMode.FORWARD_ONLY)) {
                    while (r.next()) n++;
                  }
                  return n;
                }));
    Steps.step(
        "h remove",
        () ->
            f.fromTransaction(
                s -> {
                  s.remove(s.find(Author.class, 4L));
                  s.flush();
                  return s.createQuery("select count(*) from Book", Long.class).getSingleResult();
                }));
  }
}
