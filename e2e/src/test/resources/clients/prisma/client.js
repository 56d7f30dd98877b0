// Prisma's client with the connector of MariaDB. Usage: client.js PORT SCHEMA
const { PrismaMariaDb } = require("@prisma/adapter-mariadb");
const { PrismaClient, Prisma } = require("./generated");

const [port, schema] = [Number(process.argv[2]), process.argv[3]];
const prisma = new PrismaClient({
  adapter: new PrismaMariaDb({
    host: "127.0.0.1",
    port,
    user: process.env.CLIENT_USER || "root",
    password: "",
    database: schema,
    connectionLimit: 4,
  }),
});

const text = (value) =>
  JSON.stringify(value, (_, v) =>
    typeof v === "bigint" ? `${v}n` : v instanceof Uint8Array ? Buffer.from(v).toString("hex") : v,
  );

const step = async (name, work) => {
  try {
    console.log(name, "->", text(await work()));
  } catch (e) {
    const line = e.message.trim().split("\n").pop();
    console.log(name, "!!", e.name, e.code, text(e.meta?.target), line.slice(0, 200));
  }
};

// What `prisma migrate` makes of the schema.
const MIGRATION = [
  "CREATE TABLE `Author` (`id` INTEGER NOT NULL AUTO_INCREMENT, `email` VARCHAR(191) NOT NULL, `name` VARCHAR(191) NULL, `role` ENUM('READER', 'WRITER') NOT NULL DEFAULT 'READER', UNIQUE INDEX `Author_email_key`(`email`), PRIMARY KEY (`id`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "CREATE TABLE `Profile` (`id` VARCHAR(191) NOT NULL, `bio` TEXT NOT NULL, `authorId` INTEGER NOT NULL, UNIQUE INDEX `Profile_authorId_key`(`authorId`), PRIMARY KEY (`id`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "CREATE TABLE `Post` (`id` BIGINT NOT NULL AUTO_INCREMENT, `title` VARCHAR(100) NOT NULL, `price` DECIMAL(12, 4) NOT NULL DEFAULT 0, `score` DOUBLE NULL, `published` BOOLEAN NOT NULL DEFAULT false, `data` JSON NULL, `raw` LONGBLOB NULL, `day` DATE NULL, `at` DATETIME(3) NOT NULL DEFAULT '2024-05-06 07:08:09.123', `authorId` INTEGER NOT NULL, INDEX `Post_title_published_idx`(`title`, `published`), PRIMARY KEY (`id`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "CREATE TABLE `Tag` (`id` INTEGER NOT NULL AUTO_INCREMENT, `label` VARCHAR(191) NOT NULL, UNIQUE INDEX `Tag_label_key`(`label`), PRIMARY KEY (`id`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "CREATE TABLE `Pair` (`a` INTEGER NOT NULL, `b` VARCHAR(20) NOT NULL, `n` INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (`a`, `b`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "CREATE TABLE `_PostToTag` (`A` BIGINT NOT NULL, `B` INTEGER NOT NULL, UNIQUE INDEX `_PostToTag_AB_unique`(`A`, `B`), INDEX `_PostToTag_B_index`(`B`)) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
  "ALTER TABLE `Profile` ADD CONSTRAINT `Profile_authorId_fkey` FOREIGN KEY (`authorId`) REFERENCES `Author`(`id`) ON DELETE CASCADE ON UPDATE CASCADE",
  "ALTER TABLE `Post` ADD CONSTRAINT `Post_authorId_fkey` FOREIGN KEY (`authorId`) REFERENCES `Author`(`id`) ON DELETE CASCADE ON UPDATE CASCADE",
  "ALTER TABLE `_PostToTag` ADD CONSTRAINT `_PostToTag_A_fkey` FOREIGN KEY (`A`) REFERENCES `Post`(`id`) ON DELETE CASCADE ON UPDATE CASCADE",
  "ALTER TABLE `_PostToTag` ADD CONSTRAINT `_PostToTag_B_fkey` FOREIGN KEY (`B`) REFERENCES `Tag`(`id`) ON DELETE CASCADE ON UPDATE CASCADE",
];

async function rows() {
  await step("create nested", () =>
    prisma.author.create({
      data: {
        email: "ann@x.org",
        name: "Ann",
        role: "WRITER",
        profile: { create: { id: "p-1", bio: "é ü 🚀" } },
        posts: {
          create: [
            {
              title: "One",
              price: "12.3400",
              score: 1.5,
              data: { a: [1, 2, { b: null }] },
              raw: Buffer.from([0, 1, 255]),
              day: new Date("2024-02-29"),
              tags: { create: [{ label: "red" }, { label: "green" }] },
            },
            { title: "Two", published: true, tags: { connect: { label: "red" } } },
          ],
        },
      },
      include: { profile: true, posts: { include: { tags: true }, orderBy: { id: "asc" } } },
    }),
  );
  await step("create many", () =>
    prisma.author.createMany({
      data: [...Array(20).keys()].map((i) => ({ email: `m${i}@x.org`, name: `M${i % 4}` })),
    }),
  );
  await step("skip duplicates", () =>
    prisma.author.createMany({
      data: [{ email: "m1@x.org" }, { email: "new@x.org" }],
      skipDuplicates: true,
    }),
  );
  await step("unique", () => prisma.author.create({ data: { email: "ann@x.org" } }));
  await step("foreign key", () => prisma.post.create({ data: { title: "x", authorId: 4711 } }));
  await step("too long", () => prisma.pair.create({ data: { a: 1, b: "x".repeat(30) } }));
  await step("not found", () => prisma.author.findUniqueOrThrow({ where: { id: 999 } }));
  await step("upsert", async () => [
    await prisma.pair.upsert({
      where: { a_b: { a: 1, b: "k" } },
      create: { a: 1, b: "k", n: 1 },
      update: { n: { increment: 10 } },
    }),
    await prisma.pair.upsert({
      where: { a_b: { a: 1, b: "k" } },
      create: { a: 1, b: "k", n: 1 },
      update: { n: { increment: 10 } },
    }),
  ]);
  await step("update many", () =>
    prisma.post.updateMany({ where: { published: false }, data: { score: { multiply: 3 } } }),
  );
  await step("update", () =>
    prisma.post.update({
      where: { id: 1n },
      data: { price: { increment: "0.0001" }, tags: { disconnect: { label: "green" } } },
      include: { tags: true },
    }),
  );
}

async function queries() {
  await step("filter", () =>
    prisma.author.findMany({
      where: {
        OR: [{ name: { in: ["M1", "M2"] } }, { email: { endsWith: "n@x.org" } }],
        NOT: { email: { contains: "m1" } },
      },
      orderBy: [{ name: "desc" }, { email: "asc" }],
      select: { email: true, name: true, role: true },
    }),
  );
  await step("relation", () =>
    prisma.author.findMany({
      where: { posts: { some: { tags: { some: { label: "red" } } } } },
      include: { _count: { select: { posts: true } }, profile: { select: { bio: true } } },
    }),
  );
  await step("page", () =>
    prisma.author.findMany({ skip: 5, take: 4, orderBy: { email: "asc" }, select: { email: true } }),
  );
  await step("cursor", () =>
    prisma.author.findMany({
      cursor: { email: "m12@x.org" },
      take: 3,
      orderBy: { email: "asc" },
      select: { email: true },
    }),
  );
  await step("group", () =>
    prisma.author.groupBy({
      by: ["name"],
      _count: { _all: true },
      orderBy: { name: "asc" },
      having: { name: { not: "M3" } },
    }),
  );
  await step("aggregate", () =>
    prisma.post.aggregate({ _sum: { price: true }, _avg: { score: true }, _max: { at: true } }),
  );
  await step("distinct", () =>
    prisma.author.findMany({ distinct: ["name"], orderBy: { name: "asc" }, select: { name: true } }),
  );
  await step("json", () =>
    prisma.post.findMany({ where: { data: { path: "$.a[1]", equals: 2 } }, select: { title: true } }),
  );
  await step("raw", () => prisma.$queryRaw`SELECT id, title, price, day, at FROM Post WHERE id > ${0} ORDER BY id`);
  await step("raw write", () => prisma.$executeRaw`UPDATE Pair SET n = n + ${5} WHERE a = ${1}`);
  await step("raw error", () => prisma.$queryRaw`SELECT nothing FROM Post`);
}

async function transactions() {
  const pair = (a) => prisma.pair.create({ data: { a, b: "t" } });
  await step("batch", () => prisma.$transaction([pair(10), pair(11), prisma.pair.count()]));
  await step("batch that fails", () => prisma.$transaction([pair(12), pair(10)]));
  await step("interactive", () =>
    prisma.$transaction(
      async (t) => {
        await t.pair.update({ where: { a_b: { a: 10, b: "t" } }, data: { n: 7 } });
        await t.pair.deleteMany({ where: { a: 11 } });
        return t.pair.aggregate({ _sum: { n: true }, _count: true });
      },
      { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
    ),
  );
  await step("rolled back", () =>
    prisma.$transaction(async (t) => {
      await t.pair.deleteMany();
      throw new Error("no");
    }),
  );
  await step("serializable", () =>
    prisma.$transaction((t) => t.pair.count(), { isolationLevel: "Serializable" }),
  );
  await step("pairs", () => prisma.pair.findMany({ orderBy: [{ a: "asc" }, { b: "asc" }] }));
  await step("at once", async () => {
    const created = await Promise.all([...Array(12).keys()].map((i) => pair(20 + i)));
    return created.map((row) => row.a);
  });
  await step("cascade", async () => {
    await prisma.author.delete({ where: { email: "ann@x.org" } });
    return [await prisma.post.count(), await prisma.profile.count(), await prisma.tag.count()];
  });
}

(async () => {
  for (const sql of MIGRATION) {
    await step(sql.slice(0, 60), () => prisma.$executeRawUnsafe(sql));
  }
  await rows();
  await queries();
  await transactions();
  await prisma.$disconnect();
  console.log("done");
})();
