package io.alrai.gms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.api.Privilege.Level;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrivilegeTest {
  @Test
  void errorsListThemInMysqlsOrder() {
    long bits =
        Privilege.bits(Privilege.CREATE_VIEW, Privilege.GRANT, Privilege.CREATE, Privilege.INSERT);
    assertEquals("INSERT, CREATE, GRANT, CREATE VIEW", Privilege.list(bits));
  }

  @Test
  void namesAreReadInAnyCase() {
    assertEquals(Optional.of(Privilege.LOCK_TABLES), Privilege.named("lock Tables"));
    assertEquals(Optional.empty(), Privilege.named("GRANT"));
    assertEquals(Optional.empty(), Privilege.named("LOCK_TABLES"));
    assertEquals(Optional.of(DynamicPrivilege.SYSTEM_USER), DynamicPrivilege.named("system_user"));
  }

  @Test
  void eachLevelHasItsOwn() {
    assertEquals(31, Privilege.allAt(Level.GLOBAL).size());
    assertEquals(19, Privilege.allAt(Level.SCHEMA).size());
    assertEquals(13, Privilege.allAt(Level.TABLE).size());
    assertTrue(Privilege.EXECUTE.existsAt(Level.SCHEMA));
    assertFalse(Privilege.EXECUTE.existsAt(Level.TABLE));
    assertEquals(
        List.of(Privilege.GRANT, Privilege.EXECUTE, Privilege.ALTER_ROUTINE),
        List.copyOf(Privilege.allAt(Level.PROCEDURE)));
    assertFalse(Privilege.CREATE_ROUTINE.existsAt(Level.FUNCTION));
    assertFalse(Privilege.SELECT.existsAt(Level.FUNCTION));
  }

  @Test
  void bitsAndSetsAreTheSame() {
    assertEquals(
        List.of(Privilege.UPDATE, Privilege.TRIGGER),
        List.copyOf(Privilege.of(Privilege.bits(Privilege.TRIGGER, Privilege.UPDATE))));
  }
}
