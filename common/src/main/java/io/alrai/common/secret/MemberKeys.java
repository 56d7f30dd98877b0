package io.alrai.common.secret;

import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * With what a process shows other members over TLS that it is one, and by what it knows them.
 * Thread-safe.
 */
public final class MemberKeys {
  private final KeyManager own;
  private final List<MemberTrust.Voucher> vouchers;

  MemberKeys(KeyManager own, List<MemberTrust.Voucher> vouchers) {
    this.own = own;
    this.vouchers = vouchers;
  }

  /** Shows the certificate to the other side, on both of them. */
  public KeyManager keyManager() {
    return own;
  }

  /**
   * Believes certificates of members.
   *
   * @param refused learns what it refused, on the thread of the connection
   */
  public X509ExtendedTrustManager members(Consumer<String> refused) {
    return new MemberTrust(vouchers, refused);
  }
}
