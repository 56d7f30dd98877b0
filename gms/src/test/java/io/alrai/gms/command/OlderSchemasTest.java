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
  private static final Schema SHOP =
      new Schema("shop", "utf8mb4", "utf8mb4_bin", 2, Map.of(), Map.of(), Map.of());

  private final GmsCodec codec = new GmsCodec();

  /** What was written when this was not yet there is the same as what is written now. */
  private <T> void isReadWithout(String missing, T value, Class<T> type) {
    String now = new String(codec.encode(value), StandardCharsets.UTF_8);
    String older = now.replace(missing, "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(value, codec.decode(older.getBytes(StandardCharsets.UTF_8), type));
  }

  @Test
  void schemasFromBeforeViewsAreRead() {
    isReadWithout(",\"views\":{}", SHOP, Schema.class);
  }

  @Test
  void schemasFromBeforeTheyHadNumbersKeepTheirPhysicalSchemas() {
    isReadWithout(",\"stem\":\"shop\"", SHOP, Schema.class);
    isReadWithout(
        ",\"stem\":\"shop\"",
        new CatalogCommand.CreateSchema("shop", "shop", "utf8mb4", "utf8mb4_bin", 2),
        CatalogCommand.class);
  }

  @Test
  void schemasFromBeforeProceduresAreRead() {
    isReadWithout(",\"procedures\":{}", SHOP, Schema.class);
    Schema grown = SHOP.withProcedures(Map.of("p", Samples.procedure("shop", "P")));
    assertEquals(grown, codec.decode(codec.encode(grown), Schema.class));
  }

  @Test
  void schemasFromBeforeFunctionsAreRead() {
    isReadWithout(",\"functions\":{}", SHOP, Schema.class);
    Schema grown = SHOP.withFunctions(Map.of("f", Samples.function("shop", "F")));
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
