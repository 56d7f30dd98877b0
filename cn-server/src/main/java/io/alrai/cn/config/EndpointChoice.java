package io.alrai.cn.config;

import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/**
 * What clients find at an endpoint.
 *
 * @param tls what they get of it
 * @param proxies from where load balancers may say who their clients are
 * @param nativePasswords whether there may be accounts of mysql_native_password
 * @param drain how they are let go
 * @param spans which of their statements become spans
 * @param loops on how many event loops it serves them; 0: one for each processor
 */
public record EndpointChoice(
    TlsChoice tls,
    TrustedProxies proxies,
    boolean nativePasswords,
    DrainBounds drain,
    SpanChoice spans,
    int loops) {
  /** More are of no use on any machine. */
  private static final int MOST_LOOPS = 1_024;

  /** TLS by certificates of its own, and no load balancer is believed. */
  public static final EndpointChoice USUAL =
      new EndpointChoice(
          TlsChoice.OWN, TrustedProxies.NONE, false, DrainBounds.NONE, SpanChoice.OFF, 0);

  /** Refuses what no machine has. */
  public EndpointChoice {
    if (loops < 0 || loops > MOST_LOOPS) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR, "loops wants a number from 0 to " + MOST_LOOPS);
    }
  }

  /** These choices, on so many event loops. */
  public EndpointChoice onLoops(int count) {
    return new EndpointChoice(tls, proxies, nativePasswords, drain, spans, count);
  }
}
