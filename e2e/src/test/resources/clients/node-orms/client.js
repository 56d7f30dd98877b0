// Sequelize, Knex and TypeORM. Usage: client.js PORT SCHEMA
const port = +process.argv[2],
  schema = process.argv[3],
  user = process.env.CLIENT_USER || "root";
const step = async (n, f) => {
  try {
    console.log(n, "->", JSON.stringify(await f()));
  } catch (e) {
    console.log(
      n,
      "!!",
      e.name,
      (e.parent || e).code,
      (e.parent || e).errno,
      ("" + e.message).slice(0, 200),
    );
  }
};
async function seq() {
  const { Sequelize, DataTypes: T, Op, Transaction, literal, fn, col } = require("sequelize");
  const s = new Sequelize(schema, user, "", {
    host: "127.0.0.1",
    port,
    dialect: "mysql",
    logging: false,
    pool: { max: 3 },
  });
  const A = s.define(
    "Author",
    {
      name: { type: T.STRING(50), unique: true },
      born: T.DATEONLY,
      bio: T.TEXT,
      score: T.DOUBLE,
      price: T.DECIMAL(12, 4),
      at: T.DATE(6),
      flag: T.BOOLEAN,
      color: T.ENUM("r", "g"),
      data: T.JSON,
      blob: T.BLOB,
      big: T.BIGINT,
      u: T.UUID,
      t: T.TIME,
    },
    { paranoid: true, timestamps: true },
  );
  const P = s.define(
    "Post",
    { title: T.STRING, n: T.INTEGER },
    { timestamps: false, indexes: [{ fields: ["title", "n"] }] },
  );
  const G = s.define("Tag", { label: T.STRING(20) }, { timestamps: false });
  const PT = s.define("PostTag", {}, { timestamps: false });
  A.hasMany(P, { onDelete: "CASCADE" });
  P.belongsTo(A);
  P.belongsToMany(G, { through: PT });
  G.belongsToMany(P, { through: PT });
  await step("sync", async () => {
    await s.sync({ force: true });
    return 1;
  });
  await step("create", async () => {
    for (let i = 0; i < 10; i++) {
      const a = await A.create({
        name: "a" + i + "é😀",
        born: "2001-02-03",
        bio: "b",
        score: i / 3,
        price: "1.2345",
        at: new Date(Date.UTC(2024, 0, 1, 2, 3, 4, 567)),
        flag: i % 2 == 0,
        color: "r",
        data: { i, l: [1] },
        blob: Buffer.from([0, 255]),
        big: "9007199254740993",
        u: "00000000-0000-0000-0000-00000000000" + i,
        t: "01:02:03",
      });
      for (let j = 0; j < 3; j++) {
        const p = await P.create({ title: "t" + j, n: j, AuthorId: a.id });
        if (j) await p.addTag((await G.findOrCreate({ where: { label: "l" + j } }))[0]);
      }
    }
    return A.count();
  });
  await step("find", async () =>
    (
      await A.findAll({
        order: ["id"],
        limit: 2,
        attributes: { exclude: ["createdAt", "updatedAt"] },
      })
    ).map((x) => x.toJSON()),
  );
  await step("include", async () =>
    (
      await A.findAll({
        include: [{ model: P, include: [G] }],
        order: [
          ["id", "ASC"],
          [P, "id", "ASC"],
          [P, G, "id", "ASC"],
        ],
        limit: 2,
        attributes: ["name"],
      })
    ).map((x) => x.toJSON()),
  );
  await step("group", async () =>
    P.findAll({
      attributes: ["AuthorId", [fn("SUM", col("n")), "s"], [fn("COUNT", col("id")), "c"]],
      group: ["AuthorId"],
      order: ["AuthorId"],
      raw: true,
    }),
  );
  await step("where", async () =>
    A.count({
      where: { [Op.or]: [{ score: { [Op.gt]: 2 } }, { name: { [Op.like]: "a1%" } }], flag: true },
    }),
  );
  await step(
    "json",
    async () =>
      (
        await A.findAll({
          where: { "data.i": { [Op.gte]: 8 } },
          attributes: ["id"],
          order: ["id"],
          raw: true,
        })
      ).length,
  );
  await step("update", async () =>
    A.update({ score: literal("score+1") }, { where: { id: { [Op.lt]: 5 } } }),
  );
  await step("increment", async () => {
    const a = await A.findByPk(1);
    await a.increment("score", { by: 2 });
    await a.reload();
    return a.score;
  });
  await step("upsert", async () => (await A.upsert({ name: "a1é😀", bio: "up" }))[1]);
  await step("bulk", async () => {
    await G.bulkCreate(Array.from({ length: 200 }, (_, i) => ({ label: "b" + i })));
    return G.count();
  });
  await step("dup", async () => A.create({ name: "a1é😀" }));
  await step("fk", async () => P.create({ title: "x", AuthorId: 9999 }));
  await step("tx", async () => {
    try {
      await s.transaction(
        { isolationLevel: Transaction.ISOLATION_LEVELS.SERIALIZABLE },
        async (t) => {
          await A.create({ name: "tx" }, { transaction: t });
          await A.findAll({ lock: t.LOCK.UPDATE, transaction: t, where: { id: 1 } });
          throw new Error("no");
        },
      );
    } catch (e) {}
    return A.count({ where: { name: "tx" } });
  });
  await step("paranoid", async () => {
    await A.destroy({ where: { id: 3 } });
    return [await A.count(), await A.count({ paranoid: false })];
  });
  await step("destroy", async () => {
    await A.destroy({ where: { id: 4 }, force: true });
    return [await A.count({ paranoid: false }), await P.count()];
  });
  const q = s.getQueryInterface();
  await step("describe", async () => q.describeTable("Authors"));
  await step("indexes", async () =>
    (await q.showIndex("Posts")).map((i) => [i.name, i.unique, i.fields.map((f) => f.attribute)]),
  );
  await step("alter", async () => {
    await q.addColumn("Tags", "w", { type: T.INTEGER, defaultValue: 3 });
    await q.changeColumn("Tags", "w", { type: T.BIGINT, allowNull: true });
    await q.renameColumn("Tags", "w", "w2");
    await q.addIndex("Tags", ["w2"]);
    await q.removeIndex("Tags", ["w2"]);
    await q.removeColumn("Tags", "w2");
    await q.renameTable("Tags", "Tags2");
    await q.renameTable("Tags2", "Tags");
    return (await q.showAllTables()).sort();
  });
  await step("fks", async () =>
    (await q.getForeignKeyReferencesForTable("Posts")).map((f) => [
      f.columnName,
      f.referencedTableName,
    ]),
  );
  await step("sync alter", async () => {
    await s.sync({ alter: true });
    return 1;
  });
  await step("drop", async () => {
    await s.drop();
    return (await q.showAllTables()).length;
  });
  await s.close();
}
async function kn() {
  const k = require("knex")({
    client: "mysql2",
    connection: { host: "127.0.0.1", port, user, database: schema },
    pool: { min: 0, max: 3 },
  });
  await step("k schema", async () => {
    await k.schema.createTable("users", (t) => {
      t.increments("id");
      t.string("email", 80).unique();
      t.timestamps(true, true);
      t.json("j");
      t.decimal("m", 10, 2);
    });
    await k.schema.createTable("orders", (t) => {
      t.bigIncrements("id");
      const c = t.integer("user_id").unsigned();
      c.references("users.id").onDelete("CASCADE");
      t.integer("total").index();
      t.enu("state", ["new", "paid"]);
    });
    return 1;
  });
  await step("k insert", async () => [
    await k("users").insert([
      { email: "a", j: '{"x":1}', m: "1.50" },
      { email: "b", m: 2 },
    ]),
    await k("orders").insert(
      Array.from({ length: 20 }, (_, i) => ({
        user_id: (i % 2) + 1,
        total: i,
        state: i % 3 ? "new" : "paid",
      })),
    ),
  ]);
  await step("k join", async () =>
    k("users")
      .join("orders", "users.id", "orders.user_id")
      .groupBy("email")
      .select("email")
      .sum("total as s")
      .orderBy("email"),
  );
  await step("k sub", async () =>
    k("orders")
      .whereIn("user_id", k("users").select("id").where("email", "a"))
      .orderBy("id", "desc")
      .limit(3)
      .pluck("id"),
  );
  await step("k upsert", async () =>
    k("users").insert({ email: "a", m: 9 }).onConflict("email").merge(),
  );
  await step("k tx", async () => {
    await k.transaction(async (t) => {
      await t("orders").where("total", "<", 5).update({ state: "paid" });
      await t("orders").forUpdate().where("id", 1).first();
    });
    return k("orders").where("state", "paid").count({ c: "*" });
  });
  await step("k paginate", async () =>
    k
      .with("c", k("orders").select("id", "total").where("total", ">", 3))
      .from("c")
      .orderBy("total")
      .offset(5)
      .limit(3),
  );
  await step("k window", async () =>
    k("orders")
      .select("id")
      .rowNumber("r", (q) => q.partitionBy("user_id").orderBy("total", "desc"))
      .orderBy("id")
      .limit(3),
  );
  // it asks information_schema.columns without ORDER BY: a mysqld gives whatever order its plan has
  await step("k info", async () =>
    Object.entries(await k("users").columnInfo()).sort((a, b) => (a[0] < b[0] ? -1 : 1)),
  );
  await step("k has", async () => [
    await k.schema.hasTable("users"),
    await k.schema.hasColumn("users", "zz"),
  ]);
  await step("k alter", async () => {
    await k.schema.alterTable("users", (t) => {
      t.string("n").notNullable().defaultTo("x").after("email");
      t.index(["n", "m"], "ix");
    });
    await k.schema.alterTable("users", (t) => {
      t.string("n", 20).nullable().alter();
      t.dropIndex(["n", "m"], "ix");
      t.renameColumn("n", "nn");
    });
    await k.schema.alterTable("users", (t) => t.dropColumn("nn"));
    return 1;
  });
  const src = {
    getMigrations: async () => ["m1", "m2"],
    getMigrationName: (m) => m,
    getMigration: async (m) => ({
      up: (x) =>
        x.schema.createTable("t_" + m, (t) => {
          t.increments();
        }),
      down: (x) => x.schema.dropTable("t_" + m),
    }),
  };
  await step("k migrate", async () => [
    (await k.migrate.latest({ migrationSource: src }))[1],
    (await k.migrate.rollback({ migrationSource: src }, true))[1],
  ]);
  await step("k stream", async () => {
    let n = 0;
    for await (const r of k("orders").stream()) n++;
    return n;
  });
  await step("k err", async () => k("nope").select());
  await step("k drop", async () => {
    await k.schema.dropTable("orders");
    await k.schema.dropTable("users");
    return 1;
  });
  await k.destroy();
}
async function to() {
  require("reflect-metadata");
  const { DataSource, EntitySchema, In, MoreThan, TableColumn, TableIndex } = require("typeorm");
  const U = new EntitySchema({
    name: "Usr",
    columns: {
      id: { type: Number, primary: true, generated: true },
      name: { type: "varchar", length: 40, unique: true },
      at: { type: "datetime", precision: 6, createDate: true },
      v: { type: Number, version: true },
      tags: { type: "simple-array", nullable: true },
      o: { type: "json", nullable: true },
      d: { type: "decimal", precision: 10, scale: 3, default: 0 },
      del: { type: "datetime", deleteDate: true, nullable: true },
    },
    relations: {
      posts: { type: "one-to-many", target: "Pst", inverseSide: "user", cascade: true },
    },
  });
  const P = new EntitySchema({
    name: "Pst",
    columns: {
      id: { type: "bigint", primary: true, generated: "increment" },
      title: { type: "varchar", length: 100 },
      n: { type: "int", default: 0 },
      e: { type: "enum", enum: ["x", "y"], default: "x" },
    },
    indices: [{ columns: ["title", "n"] }],
    relations: {
      user: { type: "many-to-one", target: "Usr", inverseSide: "posts", onDelete: "CASCADE" },
      cats: { type: "many-to-many", target: "Cat", joinTable: true, cascade: true },
    },
  });
  const C = new EntitySchema({
    name: "Cat",
    columns: {
      id: { type: "varchar", length: 36, primary: true, generated: "uuid" },
      name: { type: "varchar", length: 20 },
    },
  });
  const ds = new DataSource({
    type: "mysql",
    host: "127.0.0.1",
    port,
    username: user,
    database: schema,
    entities: [U, P, C],
    synchronize: true,
    dropSchema: true,
    timezone: "Z",
  });
  await step("t init", async () => {
    await ds.initialize();
    return 1;
  });
  const u = ds.getRepository("Usr"),
    p = ds.getRepository("Pst"),
    c = ds.getRepository("Cat");
  await step("t save", async () => {
    for (let i = 0; i < 5; i++)
      await u.save({
        name: "u" + i,
        tags: ["a", "b"],
        o: { i },
        d: i / 8,
        posts: [
          { title: "p", n: i, cats: i ? [] : [{ name: "c" }] },
          { title: "q", n: i },
        ],
      });
    return [await u.count(), await p.count()];
  });
  await step("t find", async () =>
    (
      await u.find({
        relations: { posts: true },
        order: { id: "ASC", posts: { id: "ASC" } },
        take: 2,
      })
    ).map((x) => [x.name, x.v, x.tags, x.o, x.d, x.posts.map((y) => [y.id, y.title, y.e])]),
  );
  await step("t qb", async () =>
    p
      .createQueryBuilder("p")
      .leftJoin("p.user", "u")
      .select("u.name", "name")
      .addSelect("SUM(p.n)", "s")
      .groupBy("u.name")
      .orderBy("u.name")
      .getRawMany(),
  );
  await step("t upd", async () => {
    const x = await u.findOneBy({ name: "u1" });
    x.name = "uu";
    await u.save(x);
    return [
      (await u.findOneBy({ id: x.id })).v,
      (await p.update({ n: MoreThan(2) }, { title: "z" })).affected,
    ];
  });
  await step("t tx", async () => {
    try {
      await ds.transaction(async (m) => {
        await m.getRepository("Usr").save({ name: "tx" });
        throw 1;
      });
    } catch (e) {}
    return u.countBy({ name: "tx" });
  });
  await step("t lock", async () =>
    ds.transaction(
      async (m) =>
        (
          await m
            .getRepository("Usr")
            .find({
              where: { id: In([1, 2]) },
              lock: { mode: "pessimistic_write" },
              order: { id: "ASC" },
            })
        ).length,
    ),
  );
  await step("t soft", async () => {
    await u.softDelete({ name: "u2" });
    return [await u.count(), await u.count({ withDeleted: true })];
  });
  await step("t del", async () => [(await u.delete({ name: "u3" })).affected, await p.count()]);
  await step("t upsert", async () => {
    await u.upsert([{ name: "u0", d: 5 }], ["name"]);
    return (await u.findOneBy({ name: "u0" })).d;
  });
  await step("t sync again", async () => {
    await ds.synchronize();
    return (await ds.driver.createSchemaBuilder().log()).upQueries.map((q) => q.query);
  });
  const r = ds.createQueryRunner();
  await step("t ddl", async () => {
    await r.addColumn(
      "usr",
      new TableColumn({ name: "extra", type: "varchar", length: "10", isNullable: true }),
    );
    await r.createIndex("usr", new TableIndex({ name: "ixe", columnNames: ["extra"] }));
    await r.dropIndex("usr", "ixe");
    await r.renameColumn("usr", "extra", "extra2");
    await r.dropColumn("usr", "extra2");
    const t = await r.getTable("pst");
    return [
      t.columns.map((x) => [x.name, x.type, x.isNullable].join()).sort(),
      t.indices.length,
      t.foreignKeys.length,
    ];
  });
  await r.release();
  await step("t drop", async () => {
    await ds.dropDatabase();
    return 1;
  });
  await ds.destroy();
}
(async () => {
  await seq();
  await kn();
  await to();
  console.log("done");
})();
