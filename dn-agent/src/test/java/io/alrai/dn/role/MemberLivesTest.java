package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqlInstallation;
import io.alrai.dn.mysqld.MysqlVersion;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberLivesTest {
  @TempDir Path directory;
  private final List<String> first = new ArrayList<>();
  private final MemberLives lives = new MemberLives(new Alone(), MysqldListener.none());
  private final MemberChanges changed = new MemberChanges();
  private MysqldInstance instance;

  @BeforeEach
  void make() throws Exception {
    Files.createDirectories(directory.resolve("dn-1").resolve("data"));
    MysqlInstallation none =
        new MysqlInstallation(Path.of("/none"), Optional.empty(), MysqlVersion.OLDEST, false);
    instance =
        MysqldInstance.create(
            new DataDirectoryTemplate(none, directory, InstallProgress.silent()),
            MysqldConfig.of(directory.resolve("dn-1"), 1).withSemiSync());
  }

  private Path log(String name) throws Exception {
    return Files.writeString(instance.dataDirectory().resolve(name), "");
  }

  @Test
  void theGroupHearsOfTheLifeThatIsThereAndOfTheNext() throws Exception {
    Path log = log("binlog.000001");
    lives.beforeLaunch(instance);
    assertTrue(Files.exists(log), "it is all that there is");
    lives.attach(instance, () -> true);
    lives.up(instance);
    lives.change(new GroupAttendant(new DnId("dn-1")), changed);
    assertEquals(1, changed.life());
    lives.down(instance, "killed");
    lives.detach(instance);
    assertEquals(0, changed.life());
    assertEquals(List.of("beforeLaunch", "attach"), first, "the rest is the group's");
    lives.beforeLaunch(instance);
    assertFalse(Files.exists(log), "the group has it");
    lives.attach(instance, () -> true);
    lives.up(instance);
    assertEquals(2, changed.life());
    assertFalse(lives.drain(instance, Duration.ZERO), "it is killed");
  }

  @Test
  void oneThatDoesNotRunIsTheGroupsFromItsNextLaunchOn() throws Exception {
    lives.change(new GroupAttendant(new DnId("dn-1")), changed);
    assertEquals(0, changed.life());
    lives.beforeLaunch(instance);
    lives.attach(instance, () -> true);
    lives.up(instance);
    assertEquals(1, changed.life());
    assertEquals(List.of(), first);
  }

  /** Before there is a group. */
  private final class Alone implements LeaderAttendant {
    @Override
    public void beforeLaunch(MysqldInstance of) {
      first.add("beforeLaunch");
    }

    @Override
    public void attach(MysqldInstance of, BooleanSupplier goOn) {
      first.add("attach");
    }

    @Override
    public boolean drain(MysqldInstance of, Duration bound) {
      first.add("drain");
      return true;
    }

    @Override
    public void detach(MysqldInstance of) {
      first.add("detach");
    }

    @Override
    public void lead(MysqldInstance of, LeaderStream stream) {
      first.add("lead");
    }

    @Override
    public void leave(LeaderStream stream) {
      first.add("leave");
    }
  }
}
