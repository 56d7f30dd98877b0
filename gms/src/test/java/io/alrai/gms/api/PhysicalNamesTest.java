package io.alrai.gms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PhysicalNamesTest {
  private static Schema schema(String name, String stem) {
    return new Schema(
        name, stem, "utf8mb4", "x", 2, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
  }

  private final Map<String, Schema> schemas = new TreeMap<>();

  private PhysicalNames names() {
    return new PhysicalNames(
        new Catalog(1, schemas, List.of(), List.of(), Map.of(), Map.of(), Map.of()));
  }

  private void has(Schema... some) {
    for (Schema schema : some) {
      schemas.put(schema.name(), schema);
    }
  }

  @Test
  void aSchemaNamesItsPhysicalOnes() {
    Schema shop = schema("shop", Schema.stem(17));
    assertEquals("a17_p00003", shop.physicalSchema(3).name());
    assertEquals("a17_p123456", shop.physicalSchema(123456).name());
    assertEquals("a17_b", shop.broadcastSchema().name());
    assertTrue(Schema.isPhysical("a17", "a17_p00003"));
    assertTrue(Schema.isPhysical("a17", "a17_p123456"));
    assertTrue(Schema.isPhysical("a17", "a17_b"));
    for (String other :
        List.of("a17", "a17_p0003", "a17_bb", "a17_p00003x", "a1_p00003", "xa17_b")) {
      assertFalse(Schema.isPhysical("a17", other), other);
    }
  }

  @Test
  void textsTellTheDatabase() {
    has(
        schema("shop", "a17"),
        schema("a.b 'x'", "a1"),
        schema("old", "old"),
        schema("my-db", "my-db"));
    PhysicalNames names = names();
    assertEquals(
        "Table 'shop.t' doesn't exist", names.inText("Table 'a17_p00003.t' doesn't exist"));
    assertEquals("a.b 'x'.t, shop.t", names.inText("a1_b.t, a17_b.t"));
    assertEquals(
        "(`shop`.`c`, CONSTRAINT `a17`)", names.inText("(`a17_p00001`.`c`, CONSTRAINT `a17`)"));
    assertEquals("old.t and my-db.t", names.inText("old_p00001.t and my-db_p12345.t"));
    for (String same :
        List.of(
            "",
            "a17",
            "a18_p00001",
            "a17_bc",
            "xa17_b",
            "a_a17_b",
            "a17_p0001",
            "old_p0001",
            "_b",
            "a17_b_")) {
      assertEquals(same, names.inText(same));
    }
  }

  @Test
  void namesAreTheirCharacters() {
    has(schema("we`ird", "a2"));
    assertEquals("`we`ird`.`t`", names().inText("`a2_p00001`.`t`"));
    assertEquals("'we`ird.t'", names().inText("'a2_p00001.t'"));
  }

  /** The older one's is longer than that of the newer one. */
  @Test
  void theWholeStemCounts() {
    has(schema("x.a3", "x.a3"), schema("new", "a3"));
    assertEquals("x.a3.t", names().inText("x.a3_p00001.t"));
    assertEquals("new.t", names().inText("a3_p00001.t"));
    assertEquals(Optional.of("new"), names().logical("a3_b"));
    assertEquals(Optional.of("x.a3"), names().logical("x.a3_b"));
    assertEquals(Optional.empty(), names().logical("a4_b"));
  }

  @Test
  void someNamesAreNotForClients() {
    has(schema("shop", "a17"), schema("old", "old"));
    for (String taken :
        List.of("a17_b", "a18_b", "a1_p00001", "a1_p000011", "old_b", "old_p00007")) {
      assertTrue(names().taken(taken), taken);
    }
    for (String free :
        List.of("shop_b", "shop_p00001", "a_b", "a17", "b17_b", "aa1_b", "a1_p0001", "old")) {
      assertFalse(names().taken(free), free);
    }
  }
}
