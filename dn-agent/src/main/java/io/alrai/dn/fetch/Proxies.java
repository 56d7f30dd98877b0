package io.alrai.dn.fetch;

import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * The proxies of http_proxy, https_proxy and no_proxy, as curl and wget read them; where they say
 * nothing, those of the JVM's own settings (https.proxyHost and the like).
 */
final class Proxies {
  private final Map<String, String> environment;

  /** Reads these variables, in small or capital letters. */
  Proxies(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** A connection, not opened yet. */
  HttpURLConnection connection(URI address) throws IOException {
    String scheme = address.getScheme().toLowerCase(Locale.ROOT);
    String named = setting(scheme + "_proxy");
    if (named.isEmpty() || isDirect(String.valueOf(address.getHost()))) {
      return (HttpURLConnection) address.toURL().openConnection();
    }
    URI proxy = parsed(named.contains("://") ? named : "http://" + named);
    int port = proxy.getPort() < 0 ? 80 : proxy.getPort();
    InetSocketAddress at = new InetSocketAddress(proxy.getHost(), port);
    HttpURLConnection connection =
        (HttpURLConnection) address.toURL().openConnection(new Proxy(Proxy.Type.HTTP, at));
    if (proxy.getUserInfo() != null) {
      connection.setAuthenticator(new Login(proxy.getUserInfo()));
    }
    return connection;
  }

  private static URI parsed(String named) throws IOException {
    try {
      URI proxy = URI.create(named);
      if (proxy.getHost() != null) {
        return proxy;
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("the proxy of the environment is no address", e);
    }
    throw new IOException("the proxy of the environment is no address");
  }

  private boolean isDirect(String host) {
    return Arrays.stream(setting("no_proxy").split("[\\s,]+", -1))
        .map(entry -> entry.startsWith(".") ? entry.substring(1) : entry)
        .filter(entry -> !entry.isEmpty())
        .anyMatch(entry -> entry.equals("*") || host.equals(entry) || host.endsWith("." + entry));
  }

  private String setting(String name) {
    String small = environment.getOrDefault(name, "");
    return (small.isBlank() ? environment.getOrDefault(name.toUpperCase(Locale.ROOT), "") : small)
        .strip();
  }

  private static final class Login extends Authenticator {
    private final String user;
    private final String password;

    Login(String userInfo) {
      int colon = userInfo.indexOf(':');
      user = colon < 0 ? userInfo : userInfo.substring(0, colon);
      password = colon < 0 ? "" : userInfo.substring(colon + 1);
    }

    @Override
    protected PasswordAuthentication getPasswordAuthentication() {
      return getRequestorType() == RequestorType.PROXY
          ? new PasswordAuthentication(user, password.toCharArray())
          : super.getPasswordAuthentication();
    }
  }
}
