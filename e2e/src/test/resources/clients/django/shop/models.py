from django.db import models


class Category(models.Model):
    name = models.CharField(max_length=50, unique=True)
    parent = models.ForeignKey("self", models.SET_NULL, null=True)


class Tag(models.Model):
    label = models.CharField(max_length=30, unique=True)
    weight = models.IntegerField(default=0)


class Product(models.Model):
    name = models.CharField(max_length=100, db_index=True)
    category = models.ForeignKey(Category, models.CASCADE)
    price = models.DecimalField(max_digits=10, decimal_places=2)
    stock = models.PositiveIntegerField()
    made = models.DateField()
    at = models.DateTimeField()
    active = models.BooleanField()
    data = models.JSONField()
    u = models.UUIDField()
    d = models.DurationField()
    f = models.FloatField()
    raw = models.BinaryField()
    ip = models.GenericIPAddressField()
    tags = models.ManyToManyField(Tag)
    note = models.TextField(null=True)

    class Meta:
        indexes = [models.Index(fields=["price", "-stock"], name="ix_ps")]
        constraints = [models.CheckConstraint(condition=models.Q(price__gte=0), name="price_pos")]
