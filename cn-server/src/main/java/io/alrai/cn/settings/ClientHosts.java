package io.alrai.cn.settings;

import io.netty.util.NetUtil;
import java.net.InetAddress;

/** Addresses from which clients come, and the host patterns of accounts. Stateless. */
public final class ClientHosts {
  private ClientHosts() {}

  /** Whether an address is this machine's, reached over no network. */
  public static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
    return address != null && address.isLoopbackAddress();
  }

  /** Whether an account's host is that of a client: with {@code %} and {@code _} as in LIKE. */
  public static boolean matches(String pattern, String host) {
    return pattern.equals("localhost") ? isLoopback(host) : like(pattern, host);
  }

  /**
   * A {@code %} that has taken too little takes one more, never an earlier one again: the time is
   * bounded by the product of the lengths, whatever the pattern is.
   */
  private static boolean like(String pattern, String text) {
    int at = 0;
    int in = 0;
    int wildcard = -1;
    int taken = 0;
    while (in < text.length()) {
      char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
      if (wanted == '%') {
        wildcard = at++;
        taken = in;
      } else if (at < pattern.length() && (wanted == '_' || wanted == text.charAt(in))) {
        at++;
        in++;
      } else if (wildcard >= 0) {
        at = wildcard + 1;
        in = ++taken;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '%') {
      at++;
    }
    return at == pattern.length();
  }
}
