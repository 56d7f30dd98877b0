// What a user of mysql2 does; prints every answer. Arguments: port, schema.
const mysql = require('mysql2/promise');

async function main() {
  const connection = await mysql.createConnection({
    host: '127.0.0.1', port: Number(process.argv[2]), user: process.env.CLIENT_USER || 'root', password: '',
    database: process.argv[3], supportBigNumbers: true, bigNumberStrings: true, timezone: 'Z',
  });

  async function run(how, sql, values) {
    try {
      const [rows, fields] = await connection[how](sql, values);
      if (fields) {
        console.log(fields.map((f) => `${f.name} ${f.columnType}`).join(', '), JSON.stringify(rows));
      } else {
        console.log('ok', rows.affectedRows, rows.insertId, rows.changedRows, rows.info);
      }
    } catch (error) {
      console.log('error', error.errno, error.sqlState, error.code, error.sqlMessage);
    }
  }

  await run('query', `CREATE TABLE pets (id INT AUTO_INCREMENT PRIMARY KEY, big BIGINT UNSIGNED, price DECIMAL(12,3), f DOUBLE,
    name VARCHAR(30), raw_bytes VARBINARY(30), born DATE, seen DATETIME(6), took TIME(3), doc JSON)`);
  const insert = 'INSERT INTO pets (big, price, f, name, raw_bytes, born, seen, took, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
  await run('execute', insert, ['18446744073709551615', '12.345', 1.5, 'Žofie 😀', Buffer.from([0, 255, 39]),
    '2020-02-29', new Date(Date.UTC(2021, 2, 4, 5, 6, 7, 890)), '30:00:00.005', '{"a": [1, null]}']);
  await run('query', insert, [null, null, null, null, null, null, null, null, null]);
  await run('query', 'INSERT INTO pets (name, f) VALUES ?', [[['a', 1], ['b', 2], ['c', 3]]]);
  await run('query', 'SELECT * FROM pets ORDER BY id');
  await run('execute', 'SELECT * FROM pets WHERE id <= ? ORDER BY id', [2]);
  await run('execute', 'SELECT COUNT(*), SUM(f), MAX(name) FROM pets');
  await run('query', 'UPDATE pets SET f = 2 WHERE f IS NOT NULL');
  await connection.beginTransaction();
  await run('execute', 'DELETE FROM pets WHERE id > ?', [1]);
  await run('query', 'SELECT COUNT(*) FROM pets');
  await connection.rollback();
  await run('query', 'SELECT COUNT(*) FROM pets');
  await connection.beginTransaction();
  await run('execute', 'UPDATE pets SET name = ? WHERE id IN (3, 4)', ['z']);
  await connection.commit();
  await run('query', 'SELECT id, name FROM pets ORDER BY name DESC, id LIMIT 2');
  await run('query', 'INSERT INTO pets (id) VALUES (1)');
  await run('execute', 'SELECT nope FROM pets WHERE id = ?', [1]);
  await run('query', 'SELEC 1');
  await run('query', 'SELECT * FROM nothing');
  await connection.ping();
  await connection.changeUser({user: process.env.CLIENT_USER || 'root', database: process.argv[3]});
  await run('query', 'SELECT COUNT(*) FROM pets');
  await connection.end();
  console.log('done');
}

main().catch((error) => {
  console.log(error);
  process.exit(1);
});
