package io.alrai.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** The borders between the modules. */
class ImportRulesTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.alrai");

  private static void forbid(String from, String because, String... to) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(to)
        .because(because)
        .check(CLASSES);
  }

  @Test
  void allModulesAreSeen() {
    Assertions.assertTrue(CLASSES.size() > 400, "only " + CLASSES.size() + " classes");
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("io.alrai.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void commonIsALeaf() {
    forbid(
        "io.alrai.common..",
        "common holds plain values that everybody may use",
        "io.alrai.cn..",
        "io.alrai.columnar..",
        "io.alrai.dn..",
        "io.alrai.executor..",
        "io.alrai.gms..",
        "io.alrai.optimizer..",
        "io.alrai.raft..",
        "io.alrai.testing..",
        "io.alrai.tpcc..",
        "io.alrai.tpch..");
  }

  @Test
  void processesBeginAsChildProcess() {
    noClasses()
        .that()
        .resideInAnyPackage("io.alrai.cn..", "io.alrai.dn..", "io.alrai.gms..")
        .should()
        .callConstructor(ProcessBuilder.class, List.class)
        .orShould()
        .callConstructor(ProcessBuilder.class, String[].class)
        .because("a mysqld that hears of a unit's socket says that the unit is ready")
        .check(CLASSES);
  }

  @Test
  void groupsHaveNothingInCommonButRaft() {
    forbid(
        "io.alrai.raft..",
        "what a group's log is about is its owner's affair",
        "io.alrai.cn..",
        "io.alrai.dn..",
        "io.alrai.gms..");
  }

  @Test
  void theExecutorDoesNotKnowThePlanner() {
    forbid(
        "io.alrai.executor..",
        "the plan vocabulary belongs to the executor",
        "io.alrai.optimizer..",
        "io.alrai.gms..",
        "io.alrai.cn..",
        "io.alrai.dn..");
  }

  @Test
  void thePlannerSeesOnlyTheInterfaceOfTheGms() {
    forbid(
        "io.alrai.optimizer..",
        "planning needs the catalog's records, not its server",
        "io.alrai.gms.raft..",
        "io.alrai.gms.server..",
        "io.alrai.gms.client..",
        "io.alrai.cn..",
        "io.alrai.dn..");
  }

  @Test
  void thePlannersRoomsAreItsOwn() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.alrai.optimizer..")
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage("io.alrai.optimizer..")
                .and(JavaClass.Predicates.resideOutsideOfPackage("io.alrai.optimizer.api..")))
        .because("others use optimizer.api and its values; how planning is done can change")
        .check(CLASSES);
  }

  @Test
  void calciteStaysBehindItsWall() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.alrai.optimizer.logical..",
            "io.alrai.optimizer.rule..",
            "io.alrai.optimizer.cost..",
            "io.alrai.optimizer.lower..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.calcite..")
        .because("only the analytical planner's inner rooms speak Calcite; others see our records")
        .check(CLASSES);
  }

  @Test
  void theAgentStandsAlone() {
    forbid(
        "io.alrai.dn..",
        "the agent serves any CN",
        "io.alrai.cn..",
        "io.alrai.gms..",
        "io.alrai.optimizer..",
        "io.alrai.executor..");
  }

  @Test
  void theColumnStoreIsFedAndReadByOthers() {
    forbid(
        "io.alrai.columnar..",
        "it takes change records of common.changelog, from whatever log they come",
        "io.alrai.cn..",
        "io.alrai.dn..",
        "io.alrai.gms..",
        "io.alrai.optimizer..",
        "io.alrai.executor..");
  }

  @Test
  void theDriversSpeakJdbcOnly() {
    String because = "it runs on any MySQL endpoint, whose address is all it may know of Alrai";
    for (String driver : List.of("io.alrai.tpcc..", "io.alrai.tpch..")) {
      forbid(
          driver,
          because,
          "io.alrai.cn..",
          "io.alrai.columnar..",
          "io.alrai.common.error..",
          "io.alrai.common.id..",
          "io.alrai.common.time..",
          "io.alrai.common.type..",
          "io.alrai.common.wire..",
          "io.alrai.dn..",
          "io.alrai.executor..",
          "io.alrai.gms..",
          "io.alrai.optimizer..");
    }
  }
}
