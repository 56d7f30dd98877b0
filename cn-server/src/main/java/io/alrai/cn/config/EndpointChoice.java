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
 */
public record EndpointChoice(
    TlsChoice tls,
    TrustedProxies proxies,
    boolean nativePasswords,
    DrainBounds drain,
    SpanChoice spans) {
  /** TLS by certificates of its own, and no load balancer is believed. */
  public static final EndpointChoice USUAL =
      new EndpointChoice(
          TlsChoice.OWN, TrustedProxies.NONE, false, DrainBounds.NONE, SpanChoice.OFF);
}
