package io.alrai.cn.columnar.wire;

import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.arrow.flight.auth.ClientAuthHandler;

/** The caller's side of {@link MemberToken}: also the node must know the secret. One thread. */
@SuppressWarnings("deprecation") // of what replaces it nothing lets both sides prove themselves
public final class MemberProof implements ClientAuthHandler {
  private final ClusterSecret secret;
  private final NodeId self;
  private byte[] token = new byte[0];

  /** For a process of that name. */
  public MemberProof(ClusterSecret secret, NodeId self) {
    this.secret = secret;
    this.self = self;
  }

  @Override
  public void authenticate(ClientAuthSender outgoing, Iterator<byte[]> incoming) {
    byte[] own = ClusterSecret.nonce();
    byte[] name = self.name().getBytes(StandardCharsets.UTF_8);
    outgoing.send(ByteBuffer.allocate(own.length + name.length).put(own).put(name).array());
    byte[] nodes = incoming.next();
    outgoing.send(secret.proof(MemberToken.HELLO, nodes, own, self.name()));
    byte[] welcome = incoming.next();
    byte[] proof = Arrays.copyOf(welcome, ClusterSecret.NONCE_BYTES);
    if (!ClusterSecret.same(secret.proof(MemberToken.WELCOME, own, nodes, self.name()), proof)) {
      throw new IllegalStateException("it does not know the cluster's secret");
    }
    token = Arrays.copyOfRange(welcome, ClusterSecret.NONCE_BYTES, welcome.length);
  }

  @Override
  public byte[] getCallToken() {
    return token.clone();
  }
}
