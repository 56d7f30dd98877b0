package io.alrai.executor.exchange;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.kind.SealedKinds;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans, and other records that processes of one cluster send each other, as JSON. A member of a
 * sealed type is named by its record's simple name in the property {@code is}; what the reader does
 * not know is an error, so that no half of a plan is run. Thread-safe.
 */
public final class RecordCodec {
  private final JsonMapper mapper;

  /**
   * A codec of plans.
   *
   * @param others sealed types beside those of plans
   */
  public RecordCodec(Class<?>... others) {
    List<Class<?>> sealed = new ArrayList<>(List.of(PlanNode.class, Scalar.class, Constant.class));
    sealed.addAll(List.of(others));
    JsonMapper.Builder builder =
        JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            // a scale is part of a number
            .withConfigOverride(
                BigDecimal.class,
                change -> change.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.STRING)));
    for (Class<?> type : sealed) {
      builder.addMixIn(type, ByName.class);
      for (Class<?> member : SealedKinds.of(type)) {
        builder.registerSubtypes(new NamedType(member, member.getSimpleName()));
      }
    }
    mapper = builder.build();
  }

  /** The value's bytes. */
  public byte[] encode(Object value) {
    try {
      return mapper.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "cannot encode a " + value.getClass().getName(), e);
    }
  }

  /**
   * Reads {@link #encode}'s bytes back.
   *
   * @throws AlraiException ALRAI_INTERNAL when they are not of this type
   */
  public <T> T decode(byte[] bytes, Class<T> type) {
    try {
      return mapper.readValue(bytes, type);
    } catch (IOException e) {
      throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "not a " + type.getSimpleName(), e);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  private interface ByName {}
}
