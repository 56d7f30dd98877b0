package io.alrai.cn.system;

import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.CountedStatement;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.StatementTally;
import io.alrai.cn.settings.UseCounts;
import io.alrai.cn.tls.EndpointTls;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The status variables that a CN has itself: statements, connections, its TLS, the session's TLS
 * and compression, and what only Alrai has.
 */
final class OwnStatus {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private final Metrics metrics;
  private final SessionRegistry sessions;
  private final LoginCounts logins;

  OwnStatus(Metrics metrics, SessionRegistry sessions) {
    this.metrics = metrics;
    this.sessions = sessions;
    this.logins = LoginCounts.of(metrics);
  }

  /**
   * The values by name.
   *
   * @param global whether statements of all sessions count
   */
  Map<String, String> of(Session session, boolean global) {
    Map<String, String> own = new TreeMap<>(metrics.status());
    statements(session.own().statements(), global, own);
    connections(own);
    transport(session, own);
    return own;
  }

  private void statements(StatementTally ofSession, boolean global, Map<String, String> own) {
    UseCounts all = sessions.uses();
    for (CountedStatement kind : CountedStatement.values()) {
      own.put(kind.statusName(), text(global ? all.count(kind) : ofSession.count(kind)));
    }
    long questions = metrics.adder(Metric.STATEMENTS).sum();
    own.put("Queries", text(questions));
    long slow = metrics.adder(Metric.SLOW_STATEMENTS).sum();
    own.put("Slow_queries", text(global ? slow : ofSession.slowOnes()));
    own.put("Questions", text(global ? questions : ofSession.questions()));
  }

  private void connections(Map<String, String> own) {
    UseCounts all = sessions.uses();
    long running = sessions.all().stream().filter(SessionRegistry.Entry::atWork).count();
    own.put("Aborted_clients", text(metrics.adder(Metric.CLIENT_TIMEOUTS).sum()));
    own.put("Aborted_connects", text(logins.aborted().sum()));
    own.put("Connections", text(all.connections()));
    own.put("Max_used_connections", text(all.most().sessions()));
    own.put(
        "Max_used_connections_time", TIME.format(Instant.ofEpochMilli(all.most().sinceMillis())));
    own.put("Prepared_stmt_count", text(sessions.prepared().count()));
    own.put("Threads_connected", text(sessions.all().size()));
    own.put("Threads_created", text(all.connections()));
    own.put("Threads_running", text(Math.max(1, running)));
    own.put("Uptime", text(all.seconds()));
    own.put("Uptime_since_flush_status", text(all.seconds()));
  }

  private void transport(Session session, Map<String, String> own) {
    SecureTransport transport = session.cnSettings().transport();
    transport.texts().forEach((name, value) -> own.put(status(name), value));
    own.put("Ssl_accepts", text(logins.tlsAccepts().sum()));
    own.put("Ssl_finished_accepts", text(logins.tlsFinishedAccepts().sum()));
    own.put("Compression", session.client().compression().on() ? "ON" : "OFF");
    own.put("Compression_algorithm", session.client().compression().algorithm());
    own.put("Compression_level", text(session.client().compression().level()));
    own.put("Ssl_version", session.client().encryption().version());
    own.put("Ssl_cipher", session.client().encryption().cipher());
    boolean encrypted = session.client().encryption().on();
    own.put(
        "Ssl_cipher_list",
        transport.tls().filter(it -> encrypted).map(EndpointTls::ciphers).orElse(""));
    own.put("Ssl_server_not_before", transport.tls().map(EndpointTls::validFrom).orElse(""));
    own.put("Ssl_server_not_after", transport.tls().map(EndpointTls::validUntil).orElse(""));
  }

  /** {@code ssl_ca} is {@code Current_tls_ca} among the status variables. */
  private static String status(String variable) {
    return "Current_tls_" + variable.substring("ssl_".length());
  }

  private static String text(long number) {
    return Long.toString(number);
  }
}
