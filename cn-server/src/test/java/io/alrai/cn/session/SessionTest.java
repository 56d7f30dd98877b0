package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.gms.api.Catalog;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class SessionTest {
  private final Session session =
      FixedSession.of(new FakeDns(new EmbeddedChannel().eventLoop()), new SettingsRegistry());

  private String seedOfBackends() {
    return session.variables().ofBackends().literal(CnVariables.RAND_SEED1);
  }

  @Test
  void seedsAreForgottenWhenItBeginsAnew() {
    session.own().seed(CnVariables.RAND_SEED1, 5);
    session.variables().settings(session.variables().settings());
    assertEquals("5", seedOfBackends());
    session.reset(Catalog.EMPTY);
    assertEquals("", seedOfBackends());
  }
}
