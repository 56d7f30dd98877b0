package app;

import jakarta.persistence.*;
import java.math.BigDecimal;
import java.time.*;
import java.util.*;

/** Entities with the kinds of columns, keys and associations that applications have. */
final class Model {
  @Entity(name = "Author")
  @jakarta.persistence.Table(name = "author")
  public static class Author {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @Column(length = 60, unique = true)
    public String name;

    public LocalDate born;

    @OneToMany(
        mappedBy = "author",
        cascade = jakarta.persistence.CascadeType.ALL,
        orphanRemoval = true)
    @jakarta.persistence.OrderBy("id")
    public List<Book> books = new ArrayList<>();

    @jakarta.persistence.Version public int v;
    @ElementCollection public Set<String> nick = new TreeSet<>();
    @Embedded public Addr addr;
  }

  @Embeddable
  public static class Addr {
    public String street;
    public Integer zip;
  }

  public enum Kind {
    A,
    B
  }

  @Entity(name = "Book")
  @jakarta.persistence.Table(
      name = "book",
      indexes = @jakarta.persistence.Index(columnList = "title,pages"))
  public static class Book {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    public Long id;

    public String title;
    public int pages;

    @ManyToOne(fetch = FetchType.LAZY)
    public Author author;

    @Column(precision = 12, scale = 4)
    public BigDecimal price;

    public Instant at;

    @Enumerated(EnumType.STRING)
    public Kind kind;

    @Lob public byte[] data;
    @Lob public String text;
    public UUID u;
    public Duration d;
    public Boolean flag;
    public double x;
    @ManyToMany public Set<Genre> genres = new LinkedHashSet<>();
  }

  @Entity(name = "Genre")
  @jakarta.persistence.Table(name = "genre")
  public static class Genre {
    @Id
    @GeneratedValue(strategy = GenerationType.TABLE)
    public Integer id;

    public String label;
  }

  @Entity(name = "Animal")
  @Inheritance(strategy = InheritanceType.JOINED)
  @jakarta.persistence.Table(name = "animal")
  public static class Animal {
    @Id
    @GeneratedValue(strategy = GenerationType.UUID)
    public UUID id;

    public String n;
  }

  @Entity(name = "Dog")
  @jakarta.persistence.Table(name = "dog")
  public static class Dog extends Animal {
    public int bark;
  }
}
