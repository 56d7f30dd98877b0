package io.alrai.common.net;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a process listens, as people and files write it: {@code HOST:PORT}. The last colon counts,
 * so that an address of IPv6 need not stand in brackets; where it does, it keeps them.
 *
 * @param host a name or an address, not looked up
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
  private static final int PORT_MAX = 0xffff;

  /**
   * No blanks, and nothing that stands beside addresses: commas in lists, @ after names, / in URLs.
   */
  private static final Pattern HOST = Pattern.compile("[^\\s,@/]+");

  public HostPort {
    if (!HOST.matcher(host).matches() || port < 0 || port > PORT_MAX) {
      throw wrong(host + ":" + port, null);
    }
  }

  /**
   * Takes it apart.
   *
   * @throws AlraiException ER_WRONG_VALUE_FOR_VAR where it has another form
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0 || text.startsWith("+", colon + 1)) {
      throw wrong(text, null);
    }
    try {
      return new HostPort(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw wrong(text, e);
    }
  }

  /** Where that is, as it was named. */
  public static HostPort of(InetSocketAddress address) {
    return new HostPort(address.getHostString(), address.getPort());
  }

  /** For whoever looks the name up later, each time. */
  public InetSocketAddress unresolved() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  /** Looks the name up; blocking. */
  public InetSocketAddress resolved() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }

  private static AlraiException wrong(String text, @Nullable Exception cause) {
    String sentence = "not an address of the form HOST:PORT: " + text;
    return cause == null
        ? new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence)
        : new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, sentence, cause);
  }
}
