package io.alrai.e2e.clients;

import io.alrai.e2e.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * ORMs and their migrations: as they come in a schema of one partition, else without their foreign
 * keys.
 */
@ExtendWith(Servers.Shared.class)
class OrmsIT {
  @Test
  void sqlAlchemyAndAlembic(Servers servers) throws Exception {
    Client client = Client.python("sqlalchemy");
    client.compare(servers);
    client.compare(servers, "keyless");
  }

  @Test
  void django(Servers servers) throws Exception {
    Client.python("django").compare(servers);
  }

  @Test
  void sequelizeKnexAndTypeOrm(Servers servers) throws Exception {
    Client.node("node-orms").compare(servers);
  }

  @Test
  void prisma(Servers servers) throws Exception {
    Client.prisma("prisma").compare(servers);
  }

  @Test
  void gorm(Servers servers) throws Exception {
    Client client = Client.go("gorm");
    client.compare(servers);
    client.compare(servers, "prepared");
  }

  @Test
  void hibernateFlywayLiquibaseMyBatisJooqAndMariaDb(Servers servers) throws Exception {
    Client.jvm("jvm").withTablesTogether().compare(servers);
  }
}
