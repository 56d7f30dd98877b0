"""SQLAlchemy's ORM and Alembic's operations. Usage: client.py PORT SCHEMA [keyless]"""

import os, sys, datetime, decimal, enum
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.autogenerate import compare_metadata
from sqlalchemy.ext.compiler import compiles
from sqlalchemy import *
from sqlalchemy.orm import *
from sqlalchemy.dialects import mysql as my

port, schema = int(sys.argv[1]), sys.argv[2]
url = URL.create("mysql+pymysql", os.environ.get("CLIENT_USER", "root"), None, "127.0.0.1", port, schema, {"charset": "utf8mb4"})
eng = create_engine(url, pool_size=3)
if len(sys.argv) > 3:

    @compiles(ForeignKeyConstraint, "mysql")
    def without_foreign_keys(*_, **__):
        return None


class Base(DeclarativeBase):
    pass


class Color(enum.Enum):
    red = 1
    green = 2


tags = Table(
    "post_tag",
    Base.metadata,
    Column("post_id", ForeignKey("post.id"), primary_key=True),
    Column("tag_id", ForeignKey("tag.id"), primary_key=True),
)


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(50), index=True)
    born: Mapped[datetime.date | None]
    posts: Mapped[list["Post"]] = relationship(
        back_populates="author", cascade="all, delete-orphan", order_by="Post.id"
    )


class Post(Base):
    __tablename__ = "post"
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey("author.id"))
    title: Mapped[str] = mapped_column(String(100))
    body: Mapped[str | None] = mapped_column(Text)
    price: Mapped[decimal.Decimal] = mapped_column(Numeric(12, 4), default=0)
    score: Mapped[float | None]
    at: Mapped[datetime.datetime | None] = mapped_column(DateTime(timezone=False))
    at6 = mapped_column(my.DATETIME(fsp=6))
    flag: Mapped[bool | None]
    color: Mapped[Color | None]
    data = mapped_column(JSON)
    blob = mapped_column(LargeBinary)
    t = mapped_column(Time)
    y = mapped_column(my.YEAR)
    b = mapped_column(my.BIT(8))
    s = mapped_column(my.SET("a", "b", "c"))
    big = mapped_column(BigInteger)
    ub = mapped_column(my.BIGINT(unsigned=True))
    author: Mapped[Author] = relationship(back_populates="posts")
    tags: Mapped[list["Tag"]] = relationship(secondary=tags, order_by="Tag.id")


class Tag(Base):
    __tablename__ = "tag"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(30), unique=True)


def step(name, f):
    try:
        r = f()
        print(name, "->", r)
    except Exception as e:
        print(name, "!!", type(e).__name__, str(e).split("\n")[0][:300])


step("drop", lambda: Base.metadata.drop_all(eng))
step("create", lambda: Base.metadata.create_all(eng))


def fill():
    with Session(eng) as s:
        ts = [Tag(name=f"t{i}") for i in range(5)]
        for i in range(20):
            a = Author(name=f"author {i}", born=datetime.date(1970 + i, 1, 1))
            for j in range(3):
                a.posts.append(
                    Post(
                        title=f"p{i}.{j} ä€😀",
                        body="x" * j,
                        price=decimal.Decimal("12.3456") * j,
                        score=j / 3,
                        at=datetime.datetime(2024, 1, 2, 3, 4, 5),
                        at6=datetime.datetime(2024, 1, 2, 3, 4, 5, 678901),
                        flag=bool(j % 2),
                        color=Color.red if j else None,
                        data={"k": [1, 2, {"z": None}]},
                        blob=bytes(range(256)),
                        t=datetime.time(1, 2, 3),
                        y=2024,
                        b=5,
                        s={"a", "c"},
                        big=-(2**63),
                        ub=2**64 - 1,
                        tags=ts[: j + 1],
                    )
                )
            s.add(a)
        s.commit()
        return s.scalar(select(func.count(Post.id)))


step("fill", fill)


def q(f):
    def g():
        with Session(eng) as s:
            return f(s)

    return g


step(
    "first",
    q(
        lambda s: [
            (
                p.title,
                p.price,
                p.score,
                p.at,
                p.at6,
                p.flag,
                p.color,
                p.data,
                len(p.blob),
                p.t,
                p.y,
                p.b,
                sorted(p.s),
                p.big,
                p.ub,
            )
            for p in s.scalars(select(Post).order_by(Post.id).limit(3))
        ]
    ),
)
step(
    "join",
    q(
        lambda s: s.execute(
            select(Author.name, func.count(), func.sum(Post.price))
            .join(Post)
            .group_by(Author.name)
            .order_by(Author.name)
            .limit(4)
        ).all()
    ),
)
step(
    "selectin",
    q(
        lambda s: [
            (a.name, len(a.posts), [len(p.tags) for p in a.posts])
            for a in s.scalars(
                select(Author)
                .options(selectinload(Author.posts).selectinload(Post.tags))
                .order_by(Author.id)
                .limit(3)
            )
        ]
    ),
)
step(
    "joined",
    q(
        lambda s: [
            (a.name, len(a.posts))
            for a in s.scalars(
                select(Author).options(joinedload(Author.posts)).order_by(Author.id)
            ).unique()
        ][:3]
    ),
)
step(
    "subq",
    q(
        lambda s: s.scalars(
            select(Author.name)
            .where(Author.id.in_(select(Post.author_id).where(Post.score > 0.5)))
            .order_by(Author.id)
        ).all()[:3]
    ),
)
step(
    "exists",
    q(
        lambda s: s.scalar(
            select(func.count()).select_from(Author).where(Author.posts.any(Post.flag.is_(True)))
        )
    ),
)
step(
    "window",
    q(
        lambda s: s.execute(
            select(
                Post.title,
                func.row_number().over(partition_by=Post.author_id, order_by=Post.id.desc()),
            )
            .order_by(Post.id)
            .limit(4)
        ).all()
    ),
)
step(
    "cte",
    q(
        lambda s: s.execute(
            text(
                "with recursive r(n) as (select 1 union all select n+1 from r where n<5) select sum(n) from r"
            )
        ).all()
    ),
)
step("json", q(lambda s: s.execute(select(Post.data["k"][0]).order_by(Post.id).limit(2)).all()))


def upd():
    with Session(eng) as s:
        r = s.execute(update(Post).where(Post.score > 0.3).values(price=Post.price + 1))
        s.commit()
        return r.rowcount


step("update", upd)


def upd2():
    with Session(eng) as s:
        a = s.get(Author, 3)
        a.name = "renamed"
        a.posts[0].title = "new"
        s.flush()
        s.rollback()
        a = s.get(Author, 3)
        n = a.name
        a.name = "renamed2"
        s.commit()
        return n, s.get(Author, 3).name


step("orm update", upd2)


def nested():
    with Session(eng) as s:
        s.add(Tag(name="outer"))
        try:
            with s.begin_nested():
                s.add(Tag(name="t1"))
                s.flush()
        except Exception as e:
            print("  nested", type(e).__name__, str(e.orig)[:80])
        s.commit()
        return s.scalars(select(Tag.name).order_by(Tag.name)).all()


step("savepoint", nested)
step("fk error", q(lambda s: (s.add(Post(author_id=999999, title="x", price=0)), s.commit())))
step(
    "lock",
    q(
        lambda s: s.scalars(
            select(Author.id).where(Author.id < 4).order_by(Author.id).with_for_update()
        ).all()
    ),
)
step(
    "delete cascade",
    q(lambda s: (s.delete(s.get(Author, 5)), s.commit(), s.scalar(select(func.count(Post.id))))[2]),
)
step(
    "on dup",
    q(
        lambda s: (
            s.execute(
                my.insert(Tag).values(id=1, name="dup").on_duplicate_key_update(name="dup!")
            ).rowcount,
            s.commit(),
            s.get(Tag, 1).name,
        )
    ),
)
step(
    "bulk",
    q(
        lambda s: (
            s.execute(insert(Tag), [{"name": f"bulk{i}"} for i in range(500)]),
            s.commit(),
            s.scalar(select(func.count(Tag.id))),
        )[2]
    ),
)


def stream():
    with eng.connect() as c:
        r = c.execution_options(stream_results=True).execute(select(Tag.id))
        return sum(1 for _ in r)


step("stream", stream)


def iso():
    with eng.connect().execution_options(isolation_level="SERIALIZABLE") as c:
        return c.scalar(text("select @@transaction_isolation"))


step("isolation", iso)
ins = inspect(eng)
step("tables", lambda: ins.get_table_names())
for t in ("author", "post", "post_tag", "tag"):
    step(
        "columns " + t,
        lambda: [
            (c["name"], str(c["type"]), c["nullable"], c["default"]) for c in ins.get_columns(t)
        ],
    )
    step("pk " + t, lambda: ins.get_pk_constraint(t))
    step("fk " + t, lambda: ins.get_foreign_keys(t))
    step("idx " + t, lambda: ins.get_indexes(t))
    step("uq " + t, lambda: ins.get_unique_constraints(t))
step("views", lambda: ins.get_view_names())
step("opts", lambda: ins.get_table_options("tag"))
step("checks", lambda: ins.get_check_constraints("post"))
step("comment", lambda: ins.get_table_comment("post"))
m = MetaData()
step("reflect", lambda: (m.reflect(eng), sorted(m.tables))[1])


# alembic
def alembic():
    with eng.begin() as c:
        op = Operations(MigrationContext.configure(c))
        op.add_column("tag", Column("note", String(20), server_default="n", nullable=False))
        op.alter_column(
            "tag",
            "note",
            existing_type=String(20),
            type_=String(40),
            nullable=True,
            existing_server_default="n",
        )
        op.alter_column("tag", "note", new_column_name="remark", existing_type=String(40))
        op.create_index("ix_remark", "tag", ["remark"])
        op.drop_index("ix_remark", "tag")
        op.create_check_constraint("ck", "tag", "id > 0")
        op.drop_constraint("ck", "tag", type_="check")
        op.create_unique_constraint("uqr", "tag", ["remark", "id"])
        op.drop_constraint("uqr", "tag", type_="unique")
        op.drop_column("tag", "remark")
        op.rename_table("tag", "tag2")
        op.rename_table("tag2", "tag")
        op.create_table(
            "extra",
            Column("id", Integer, primary_key=True),
            Column("tag_id", Integer, ForeignKey("tag.id", name="fk_extra")),
        )
        op.drop_constraint("fk_extra", "extra", type_="foreignkey")
        op.drop_table("extra")
    return inspect(eng).get_table_names()


step("alembic", alembic)


def autogen():
    with eng.connect() as c:
        return [d[0] for d in compare_metadata(MigrationContext.configure(c), Base.metadata)]


step("autogen", autogen)
step("drop", lambda: Base.metadata.drop_all(eng))
print("done")
