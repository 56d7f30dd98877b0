package io.alrai.cn.config;

import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;

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
  /** TLS by certificates of its own, and no load balancer is believed. */
  public static final EndpointChoice USUAL =
      new EndpointChoice(
          TlsChoice.OWN, TrustedProxies.NONE, false, DrainBounds.NONE, SpanChoice.OFF, 0);

  /** These choices, on so many event loops. */
  public EndpointChoice onLoops(int count) {
    return new EndpointChoice(tls, proxies, nativePasswords, drain, spans, count);
  }
}
