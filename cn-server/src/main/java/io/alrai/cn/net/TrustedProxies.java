package io.alrai.cn.net;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * From where load balancers may say, by the PROXY protocol, who their clients are. Immutable.
 *
 * @param text the networks as they were given
 * @param networks the same, as rules that a peer is compared with
 */
public record TrustedProxies(String text, List<IpSubnetFilterRule> networks) {
  /** Nobody may. */
  public static final TrustedProxies NONE = new TrustedProxies("", List.of());

  public TrustedProxies {
    networks = List.copyOf(networks);
  }

  /**
   * Those of a list.
   *
   * @param text addresses and networks (10.0.0.0/8, fd00::/8), with commas between them; empty for
   *     none
   * @throws AlraiException 1231 with a sentence that says which of them is none
   */
  public static TrustedProxies of(String text) {
    List<IpSubnetFilterRule> networks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String network = part.strip();
      if (!network.isEmpty()) {
        networks.add(rule(network));
      }
    }
    return new TrustedProxies(text.strip(), networks);
  }

  private static IpSubnetFilterRule rule(String network) {
    int slash = network.indexOf('/');
    String address = slash < 0 ? network : network.substring(0, slash);
    InetAddress known = NetUtil.createInetAddressFromIpAddressString(address);
    try {
      if (known == null) {
        throw new IllegalArgumentException("no address: " + address);
      }
      int bits = 8 * known.getAddress().length;
      int prefix = slash < 0 ? bits : Integer.parseUnsignedInt(network.substring(slash + 1));
      return new IpSubnetFilterRule(known, prefix, IpFilterRuleType.ACCEPT);
    } catch (IllegalArgumentException e) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "proxy networks are addresses or networks such as 10.0.0.0/8, with commas between them,"
              + " not "
              + network,
          e);
    }
  }

  /** Whether any network is trusted. */
  public boolean isEmpty() {
    return networks.isEmpty();
  }

  /** Whether a peer may say who its client is. */
  public boolean trusts(InetSocketAddress peer) {
    for (IpSubnetFilterRule network : networks) {
      if (network.matches(peer)) {
        return true;
      }
    }
    return false;
  }
}
