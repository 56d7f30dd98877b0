package io.alrai.gms.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Schema;
import io.alrai.gms.catalog.Samples;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OlderSchemasTest {
  private final GmsCodec codec = new GmsCodec();

  @Test
  void schemasFromBeforeViewsAreRead() {
    Schema schema = new Schema("shop", "utf8mb4", "utf8mb4_bin", 2, Map.of(), Map.of(), Map.of());
    String now = new String(codec.encode(schema), StandardCharsets.UTF_8);
    String older = now.replace(",\"views\":{}", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(schema, codec.decode(older.getBytes(StandardCharsets.UTF_8), Schema.class));
  }

  @Test
  void schemasFromBeforeTheyHadNumbersKeepTheirPhysicalSchemas() {
    Schema schema = new Schema("shop", "utf8mb4", "utf8mb4_bin", 2, Map.of(), Map.of(), Map.of());
    String now = new String(codec.encode(schema), StandardCharsets.UTF_8);
    String older = now.replace(",\"stem\":\"shop\"", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(schema, codec.decode(older.getBytes(StandardCharsets.UTF_8), Schema.class));
    CatalogCommand create =
        new CatalogCommand.CreateSchema("shop", "shop", "utf8mb4", "utf8mb4_bin", 2);
    String made = new String(codec.encode(create), StandardCharsets.UTF_8);
    older = made.replace(",\"stem\":\"shop\"", "");
    assertTrue(older.length() < made.length(), made);
    assertEquals(
        create, codec.decode(older.getBytes(StandardCharsets.UTF_8), CatalogCommand.class));
  }

  @Test
  void schemasFromBeforeProceduresAreRead() {
    Schema schema = new Schema("shop", "utf8mb4", "utf8mb4_bin", 2, Map.of(), Map.of(), Map.of());
    String now = new String(codec.encode(schema), StandardCharsets.UTF_8);
    String older = now.replace(",\"procedures\":{}", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(schema, codec.decode(older.getBytes(StandardCharsets.UTF_8), Schema.class));
    Schema grown = schema.withProcedures(Map.of("p", Samples.procedure("shop", "P")));
    assertEquals(grown, codec.decode(codec.encode(grown), Schema.class));
  }

  @Test
  void schemasFromBeforeFunctionsAreRead() {
    Schema schema = new Schema("shop", "utf8mb4", "utf8mb4_bin", 2, Map.of(), Map.of(), Map.of());
    String now = new String(codec.encode(schema), StandardCharsets.UTF_8);
    String older = now.replace(",\"functions\":{}", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(schema, codec.decode(older.getBytes(StandardCharsets.UTF_8), Schema.class));
    Schema grown = schema.withFunctions(Map.of("f", Samples.function("shop", "F")));
    assertEquals(grown, codec.decode(codec.encode(grown), Schema.class));
  }

  @Test
  void physicalSchemasAreTheirNames() {
    PartitionGroup group = new PartitionGroup(3, new PhysicalSchema("a17_p00003"), Samples.DN1);
    String text = new String(codec.encode(group), StandardCharsets.UTF_8);
    assertTrue(text.contains("\"physicalSchema\":\"a17_p00003\""), text);
    assertEquals(group, codec.decode(text.getBytes(StandardCharsets.UTF_8), PartitionGroup.class));
  }
}
