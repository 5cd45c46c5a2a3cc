// Sharp edges of bright parts: white cubes on white trays are told apart by them.  One draw per batch, placed as its instances are.
import * as THREE from "three";

const MOST = 3e6; // corners of all edges of a batch

const material = (lift) => new THREE.ShaderMaterial({
  transparent: true, depthWrite: false, uniforms: { ink: { value: new THREE.Color("#39444f") }, strength: { value: 0.55 }, lift: { value: lift } },
  vertexShader: `attribute mat4 placed; uniform float lift; varying float faint; void main() {
    vec4 p = modelViewMatrix * placed * vec4(position, 1.0);
    float away = isOrthographic ? 1.0 : max(-p.z, 1e-6);
    float size = max(length(placed[0].xyz), max(length(placed[1].xyz), length(placed[2].xyz)));
    faint = clamp(14.0 * size * projectionMatrix[1][1] / away, 0.45, 1.0); // small ones would be nothing but edge
    if (isOrthographic) p.z += lift; else p.xyz *= 0.9995;
    gl_Position = projectionMatrix * p;
  }`,
  fragmentShader: `uniform vec3 ink; uniform float strength; varying float faint; void main() { gl_FragColor = vec4(ink, strength * faint);
    #include <colorspace_fragment>
  }`,
});

// Lines over a batch (an InstancedMesh): its own matrices move them.
export function edges(batch, lift) {
  const sharp = new THREE.EdgesGeometry(batch.geometry, 32).attributes.position;
  if (!sharp.count || sharp.count * batch.count > MOST) return null;
  const g = new THREE.InstancedBufferGeometry();
  g.setAttribute("position", sharp);
  g.setAttribute("placed", batch.instanceMatrix);
  g.instanceCount = batch.count;
  const lines = new THREE.LineSegments(g, material(lift));
  lines.frustumCulled = false;
  batch.add(lines);
  return lines;
}
