"""Django's migrations, ORM, admin and introspection. Usage: client.py PORT SCHEMA"""

import sys, os, io, datetime, decimal, uuid

port, schema = int(sys.argv[1]), sys.argv[2]
import django
from django.conf import settings
import pymysql

pymysql.version_info = (2, 2, 8, "final", 0)
pymysql.install_as_MySQLdb()
settings.configure(
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.mysql",
            "NAME": schema,
            "USER": os.environ.get("CLIENT_USER", "root"),
            "HOST": "127.0.0.1",
            "PORT": port,
            "OPTIONS": {"charset": "utf8mb4"},
            "TEST": {},
        }
    },
    INSTALLED_APPS=[
        "django.contrib.contenttypes",
        "django.contrib.auth",
        "django.contrib.sessions",
        "django.contrib.admin",
        "django.contrib.messages",
        "shop",
    ],
    USE_TZ=True,
    TIME_ZONE="UTC",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    SECRET_KEY="x",
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                    "django.template.context_processors.request",
                ]
            },
        }
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
)
sys.path.insert(0, os.path.dirname(__file__))
django.setup()
from django.core.management import call_command
from django.db import connection, transaction, IntegrityError
from django.db.models import *
from django.db.models.functions import *


def step(name, f):
    try:
        print(name, "->", f())
    except Exception as e:
        print(name, "!!", type(e).__name__, str(e)[:300])


step("makemigrations", lambda: call_command("makemigrations", "shop", verbosity=0))
step("migrate", lambda: call_command("migrate", verbosity=0))
from shop.models import *
from django.contrib.auth.models import User, Group, Permission

step("perm", lambda: Permission.objects.count())


def fill():
    with transaction.atomic():
        cats = [Category.objects.create(name=f"c{i}", parent=None) for i in range(4)]
        cats.append(Category.objects.create(name="child", parent=cats[0]))
        ps = []
        for i in range(30):
            p = Product(
                name=f"p{i} é😀",
                category=cats[i % 4],
                price=decimal.Decimal("1.25") * i,
                stock=i,
                made=datetime.date(2024, 1, 1) + datetime.timedelta(days=i),
                at=datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
                + datetime.timedelta(hours=i, microseconds=i),
                active=bool(i % 2),
                data={"i": i, "l": [i]},
                u=uuid.UUID(int=i),
                d=datetime.timedelta(seconds=i * 1.5),
                f=i / 7,
                raw=bytes([i, 0, 255]),
                ip="10.0.0.%d" % i,
            )
            p.save()
            ps.append(p)
            p.tags.add(*[Tag.objects.get_or_create(label=f"t{j}")[0] for j in range(i % 3)])
    return Product.objects.count()


step("fill", fill)
step("first", lambda: list(Product.objects.order_by("id").values()[:2]))
step(
    "filter",
    lambda: list(
        Product.objects.filter(price__gt=10, active=True, name__icontains="P1")
        .order_by("id")
        .values_list("name", flat=True)
    ),
)
step(
    "agg",
    lambda: Product.objects.aggregate(
        Sum("price"), Avg("stock"), Max("made"), Count("id"), StdDev("f")
    ),
)
step(
    "group",
    lambda: list(
        Category.objects.annotate(n=Count("product"), s=Sum("product__price"))
        .order_by("id")
        .values_list("name", "n", "s")
    ),
)
step(
    "rel",
    lambda: [
        (p.name, p.category.name)
        for p in Product.objects.select_related("category").order_by("-id")[:3]
    ],
)
step(
    "prefetch",
    lambda: [
        (p.name, [t.label for t in p.tags.all()])
        for p in Product.objects.prefetch_related(
            Prefetch("tags", Tag.objects.order_by("label"))
        ).order_by("id")[:4]
    ],
)
step("exclude", lambda: Product.objects.exclude(tags__label="t0").count())
step(
    "sub",
    lambda: list(
        Category.objects.annotate(
            m=Subquery(
                Product.objects.filter(category=OuterRef("pk"))
                .order_by("-price")
                .values("name")[:1]
            )
        )
        .order_by("id")
        .values_list("m", flat=True)
    ),
)
step(
    "exists",
    lambda: Category.objects.filter(
        Exists(Product.objects.filter(category=OuterRef("pk"), stock__gt=28))
    ).count(),
)
step(
    "window",
    lambda: list(
        Product.objects.annotate(
            r=Window(RowNumber(), partition_by=F("category"), order_by=F("price").desc())
        )
        .order_by("id")
        .values_list("r", flat=True)[:6]
    ),
)
step(
    "case",
    lambda: list(
        Product.objects.annotate(k=Case(When(stock__lt=10, then=Value("low")), default=Value("hi")))
        .values("k")
        .annotate(n=Count("id"))
        .order_by("k")
    ),
)
step(
    "trunc",
    lambda: list(
        Product.objects.annotate(m=TruncMonth("made"))
        .values("m")
        .annotate(n=Count("id"))
        .order_by("m")
    ),
)
step("dates", lambda: list(Product.objects.dates("made", "week"))[:3])
step("datetimes", lambda: list(Product.objects.datetimes("at", "day")))
step(
    "json",
    lambda: list(
        Product.objects.filter(data__i__gte=28).order_by("id").values_list("data__l__0", flat=True)
    ),
)
step("jsoncontains", lambda: Product.objects.filter(data__contains={"i": 3}).count())
step(
    "F",
    lambda: (
        Product.objects.filter(stock__gt=20).update(stock=F("stock") - 1, price=F("price") * 2),
        Product.objects.aggregate(s=Sum("stock"))["s"],
    ),
)
step(
    "bulk",
    lambda: (
        len(Tag.objects.bulk_create([Tag(label=f"b{i}") for i in range(300)])),
        Tag.objects.count(),
    ),
)
step(
    "bulk ignore",
    lambda: (
        len(Tag.objects.bulk_create([Tag(label="b1"), Tag(label="new")], ignore_conflicts=True)),
        Tag.objects.count(),
    ),
)
step(
    "upsert",
    lambda: (
        len(
            Tag.objects.bulk_create(
                [Tag(label="b1", weight=9)], update_conflicts=True, update_fields=["weight"]
            )
        ),
        Tag.objects.get(label="b1").weight,
    ),
)


def bu():
    ts = list(Tag.objects.filter(label__startswith="b").order_by("id")[:50])
    for i, t in enumerate(ts):
        t.weight = i
    return Tag.objects.bulk_update(ts, ["weight"], batch_size=20), Tag.objects.aggregate(
        Sum("weight")
    )


step("bulk update", bu)


def atomic():
    try:
        with transaction.atomic():
            Tag.objects.create(label="in")
            try:
                with transaction.atomic():
                    Tag.objects.create(label="b1")
            except IntegrityError as e:
                print("  ", e.args)
            raise ValueError
    except ValueError:
        pass
    return Tag.objects.filter(label="in").count()


step("atomic", atomic)
step("goc", lambda: Tag.objects.update_or_create(label="b2", defaults={"weight": 77})[1])
step(
    "lock",
    lambda: transaction.atomic(
        lambda: list(
            Product.objects.select_for_update()
            .filter(stock__lt=3)
            .order_by("id")
            .values_list("id", flat=True)
        )
    )(),
)
step(
    "skip",
    lambda: transaction.atomic(
        lambda: Product.objects.select_for_update(skip_locked=True).filter(stock__lt=3).count()
    )(),
)
step("delete", lambda: Category.objects.get(name="c1").delete())
step("after", lambda: (Product.objects.count(), Product.tags.through.objects.count()))
step(
    "union",
    lambda: list(
        Tag.objects.filter(label="b1")
        .values_list("label")
        .union(Category.objects.values_list("name"))
        .order_by("label")
    ),
)
step(
    "raw",
    lambda: [p.name for p in Product.objects.raw("SELECT * FROM shop_product ORDER BY id LIMIT 2")],
)
step("iterator", lambda: sum(1 for _ in Tag.objects.iterator(chunk_size=50)))
step("in_bulk", lambda: sorted(Product.objects.in_bulk([1, 3, 5])))
step("distinct", lambda: Product.objects.values("active").distinct().count())
step("regex", lambda: Product.objects.filter(name__regex=r"^p1[0-3]").count())
step(
    "user",
    lambda: (
        User.objects.create_superuser("admin", "a@b.c", "pw").check_password("pw"),
        User.objects.filter(username="ADMIN").count(),
    ),
)
from django.test import Client


def web():
    settings.ROOT_URLCONF = "shop.urls"
    settings.ALLOWED_HOSTS = ["*"]
    c = Client()
    ok = c.login(username="admin", password="pw")
    r = c.get("/admin/shop/product/")
    return ok, r.status_code, User.objects.get(username="admin").last_login is not None


step("admin", web)
step("introspect", lambda: sorted(connection.introspection.table_names()))
step(
    "constraints",
    lambda: sorted(
        (k, v["columns"], v["unique"], v["foreign_key"])
        for k, v in connection.introspection.get_constraints(
            connection.cursor(), "shop_product"
        ).items()
    ),
)


def insp():
    o = io.StringIO()
    call_command("inspectdb", "shop_product", stdout=o)
    return o.getvalue()


step("inspectdb", insp)


# second migration
def mig2():
    from django.db import migrations
    from django.db.migrations.state import ProjectState
    from django.db.migrations.loader import MigrationLoader
    from django.db import models as m

    st = MigrationLoader(connection).project_state()
    ops = [
        migrations.AddField("product", "extra", m.CharField(max_length=10, default="e")),
        migrations.AlterField("product", "extra", m.CharField(max_length=50, null=True)),
        migrations.RenameField("product", "extra", "extra2"),
        migrations.AddIndex("product", m.Index(fields=["extra2", "stock"], name="ix1")),
        migrations.AddConstraint(
            "product", m.CheckConstraint(condition=m.Q(stock__gte=0), name="ck1")
        ),
        migrations.AddConstraint("tag", m.UniqueConstraint(fields=["label", "weight"], name="uq1")),
        migrations.RemoveIndex("product", "ix1"),
        migrations.RemoveConstraint("product", "ck1"),
        migrations.RemoveConstraint("tag", "uq1"),
        migrations.RemoveField("product", "extra2"),
        migrations.RenameModel("Tag", "Label"),
        migrations.RenameModel("Label", "Tag"),
        migrations.CreateModel(
            "Tmp",
            [
                ("id", m.BigAutoField(primary_key=True)),
                ("p", m.ForeignKey("shop.Product", m.CASCADE)),
            ],
        ),
        migrations.DeleteModel("Tmp"),
        migrations.RunSQL("UPDATE shop_tag SET weight=weight+1"),
    ]
    for o in ops:
        new = st.clone()
        o.state_forwards("shop", new)
        try:
            with connection.schema_editor(atomic=False) as ed:
                o.database_forwards("shop", ed, st, new)
        except Exception as e:
            print("  ", o.describe(), "!!", type(e).__name__, str(e)[:200])
        st = new
    return "ok"


step("mig2", mig2)
step("check", lambda: call_command("migrate", check_unapplied=True, verbosity=0))
step(
    "flush",
    lambda: (call_command("flush", interactive=False, verbosity=0), Product.objects.count())[1],
)
print("done")
