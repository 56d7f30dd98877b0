package io.alrai.optimizer.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.kind.SealedKinds;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.AdminStatement.Wish;
import io.alrai.optimizer.api.AdminTraits.InXa;
import io.alrai.optimizer.api.AdminTraits.Preparation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AdminTraitsTest {
  /** Otherwise the order of cases decided where it runs. */
  @Test
  void everyStatementRunsInOnePlace() {
    List<Class<?>> places =
        List.of(
            AdminStatement.OnLoop.class,
            AdminStatement.ByName.class,
            AdminStatement.OnSession.class,
            AdminStatement.OnCn.class);
    Set<String> elsewhere = new TreeSet<>();
    SealedKinds.of(AdminStatement.class).stream()
        .filter(kind -> places.stream().filter(place -> place.isAssignableFrom(kind)).count() != 1)
        .forEach(kind -> elsewhere.add(kind.getSimpleName()));
    assertEquals(Set.of(), elsewhere);
  }

  @Test
  void onlyOneGroupOfTheCnHasAStatement() {
    List<Class<?>> groups =
        List.of(
            AdminStatement.Setting.class,
            AdminStatement.Locking.class,
            AdminStatement.FromShadow.class,
            AdminStatement.Report.class,
            AdminStatement.Change.class,
            AdminStatement.OverRows.class);
    Set<String> several = new TreeSet<>();
    SealedKinds.of(AdminStatement.OnCn.class).stream()
        .filter(kind -> groups.stream().filter(group -> group.isAssignableFrom(kind)).count() != 1)
        .forEach(kind -> several.add(kind.getSimpleName()));
    assertEquals(Set.of(), several);
  }

  @Test
  void traitsAreMySqls() {
    assertEquals(
        new AdminTraits(InXa.NEVER, Preparation.CN, false),
        AdminTraits.of(new AdminStatement.Begin(Wish.UNSAID, false)));
    assertEquals(
        new AdminTraits(InXa.ANY, Preparation.NONE, false),
        AdminTraits.of(new AdminStatement.Use("a")));
    assertEquals(
        new AdminTraits(InXa.ACTIVE, Preparation.CN, true),
        AdminTraits.of(new AdminStatement.ChecksumTables(List.of(), false)));
    assertEquals(
        new AdminTraits(InXa.ACTIVE, Preparation.MYSQLD, false),
        AdminTraits.of(new AdminStatement.WithCalls()));
  }

  @Test
  void ofDdlTriggersAndRoutinesCannotBePrepared() {
    TableName name = new TableName(Optional.empty(), "t");
    assertEquals(
        new AdminTraits(InXa.NEVER, Preparation.CN, false),
        AdminTraits.of(
            new AdminStatement.Ddl(
                new DdlStatement.DropTables("DROP TABLE t", List.of(name), false, false))));
    assertEquals(
        new AdminTraits(InXa.NEVER, Preparation.NONE, false),
        AdminTraits.of(
            new AdminStatement.Ddl(new DdlStatement.DropTrigger("DROP TRIGGER t", name, false))));
  }
}
